// What the framework itself logs of requests: nothing at info, one line each at debug, and answers that broke off.
import { LogController } from 'fastify';

const nothing = (): void => undefined;

export function requestLog(): LogController {
  const control = new LogController({ requestIdLogLabel: 'requestId' });
  control.incomingRequest = nothing;
  control.routeNotFound = nothing;
  control.serviceUnavailable = nothing;
  control.requestCompleted = (_error, request, reply) => {
    if (request.log.level !== 'debug' && request.log.level !== 'trace') return;
    request.log.debug(
      // The route as declared: a URL may hold what nobody should read here.
      { method: request.method, route: request.routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime },
      'answered',
    );
  };
  control.streamError = (error, request) => {
    const level = 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? 'debug' : 'error';
    request.log[level]({ err: error, route: request.routeOptions.url }, 'answer broken off');
  };
  return control;
}
