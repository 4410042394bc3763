// The command `endpoint enable` (contract 4.11, 7.2).
import type { Command } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import type { CliContext } from '../platform/cli.ts';
import { enableEndpoint } from './set-endpoint.ts';

export function registerEndpointCommands(program: Command, { withDatabase, clock, out }: CliContext): void {
  program
    .command('endpoint')
    .description("a partner's webhook endpoint")
    .command('enable')
    .description('send to an endpoint again that had answered 410 Gone')
    .requiredOption('--partner <key>', 'whose endpoint')
    .action(async ({ partner }: { partner: string }) => {
      const change = { buyerKey: partner, actor: commandLineActor };
      const outcome = await withDatabase((database) => database.tx((tx) => enableEndpoint(tx, change, clock.now())));
      if (!outcome.ok) return out.refuse(outcome.code, `There is no partner ${partner}.`);
      const { wasDisabled } = outcome.value;
      out.print({
        json: { partner, enabled: true, wasDisabled },
        text: wasDisabled ? `The endpoint of ${partner} is enabled.` : `The endpoint of ${partner} was not disabled.`,
      });
    });
}
