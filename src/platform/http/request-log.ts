// Configures the framework's request log: nothing at info, one line per request at debug, and responses that broke off.
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
      // The declared route, because a URL may contain personal data.
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
