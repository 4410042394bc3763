// The command `leadmarket`: every slice's commands under one name, and the server (contract 7).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Command, Option } from 'commander';
import type pg from 'pg';

import { registerAuditCommand } from '../audit/audit.cli.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { registerPartnerCommands } from '../buyers/buyers.cli.ts';
import { registerEndpointCommands } from '../buyers/endpoint.cli.ts';
import { registerClaimsCommands } from '../claims/claims.cli.ts';
import { registerCredentialCommands } from '../credentials/credentials.cli.ts';
import { checkHolds } from '../deliveries/check-holds.ts';
import { registerDeliveriesCommands } from '../deliveries/deliveries.cli.ts';
import { checkInvoices } from '../invoices/check-invoices.ts';
import { registerInvoicesCommands } from '../invoices/invoices.cli.ts';
import { registerLeadList } from '../leads/leads.cli.ts';
import { registerLedgerCommands } from '../ledger/ledger.cli.ts';
import { registerMarketplaceFileCommands } from '../marketplace-file/marketplace-file.cli.ts';
import { type CliContext, runCommand } from '../platform/cli.ts';
import type { CliOutput } from '../platform/cli-output.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, loadConfig } from '../platform/config.ts';
import { type ReachedDatabase, reachDatabase } from '../platform/database/connect.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { explainUnreachable } from '../platform/database/explain-unreachable.ts';
import { migrate } from '../platform/database/migrate.ts';
import { registerBackupCommands } from '../platform/backup.cli.ts';
import { registerDoctor } from '../platform/doctor.cli.ts';
import { registerMailCommands } from '../platform/outbound/mail/mail.cli.ts';
import { OutsideError } from '../platform/outside-error.ts';
import { registerConsentCommand } from '../privacy/consent.cli.ts';
import { registerEraseCommand } from '../privacy/erase.cli.ts';
import { registerRetentionCommand } from '../privacy/retention.cli.ts';
import { registerJobsCommands } from '../routing/jobs.cli.ts';
import { registerTraceCommand } from '../routing/trace.cli.ts';
import { reviveDeliveries } from '../routing/revive-deliveries.ts';
import type { Role } from '../runtime.ts';
import { examineOperators } from '../sessions/examine-operators.ts';
import { registerOperatorCommands } from '../sessions/operators.cli.ts';
import { registerSimulateCommand } from '../simulation/simulate.cli.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { registerSupplierCommands } from '../suppliers/suppliers.cli.ts';

const ROLES: readonly Role[] = ['all', 'api', 'worker'];
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

// A faulty environment is told by the first command that needs it, so that help works all the same.
const environment = loadConfig(process.env);

process.exitCode = await runCommand(process.argv.slice(2), {
  version,
  description: 'The lead marketplace: its server and everything that an operator does.',
  streams: process,
  register(program, out) {
    const context: CliContext = { clock: systemClock, out, withDatabase: (work) => withDatabase(out, work) };
    registerServer(program, context);
    registerBackupCommands(program, { ...context, withReached: (work) => withReached(out, work) });
    registerDoctor(program, { ...context, config, further: [examineOperators] });
    const fileContext = { ...context, allowTargets: environment.ok ? environment.config.allowTargets : [] };
    registerMarketplaceFileCommands(program, fileContext);
    registerSimulateCommand(program, fileContext);
    registerSupplierCommands(program, context);
    registerAuditCommand(registerPartnerCommands(program, context), context);
    registerEndpointCommands(program, context);
    registerCredentialCommands(program, {
      ...context,
      ownerExists: async (kind, key, tx) =>
        (kind === 'supplier' ? await readSuppliers(tx) : await readBuyers(tx)).has(key),
    });
    registerOperatorCommands(program, { ...context, stdin: process.stdin, prompts: process.stderr });
    const lead = program.command('lead').description('what suppliers submitted and what became of it');
    registerLeadList(lead, context);
    registerTraceCommand(lead, context);
    registerEraseCommand(lead, context);
    registerConsentCommand(lead, context);
    registerRetentionCommand(program, context);
    registerClaimsCommands(program, context);
    registerLedgerCommands(program, { ...context, furtherChecks: [checkHolds, checkInvoices] });
    registerInvoicesCommands(program, context);
    registerDeliveriesCommands(program, { ...context, revive: reviveDeliveries });
    registerJobsCommands(program, context);
    registerMailCommands(program, context);
  },
});

function registerServer(program: Command, { out, withDatabase: within, clock }: CliContext): void {
  program
    .command('serve')
    .description('run the service: API, workers, and the embedded database unless DATABASE_URL names another')
    .addOption(new Option('--role <role>', 'what this process does').choices(ROLES).default('all'))
    .action(async ({ role }: { role: Role }) => {
      if (!environment.ok) return out.refuse('configuration_invalid', environment.faults.join('\n'));
      // Only here: the server's libraries take longer to load than most commands to run.
      const { serve } = await import('./serve.ts');
      await serve(environment.config, role);
    });
  program
    .command('migrate')
    .description('bring the database to the schema of this version; every other command and the server do so as well')
    .action(async () => {
      const report = await within((database) => migrate(database, clock.now()));
      out.print({
        json: { applied: report.applied, already: report.already },
        text: report.applied.length === 0 ? 'The schema is up to date.' : `Applied ${report.applied.join(', ')}.`,
      });
    });
}

function config(): Config {
  if (environment.ok) return environment.config;
  throw new OutsideError('database_unavailable', environment.faults.join('\n'), { retryable: false });
}

async function withReached<Value>(out: CliOutput, work: (reached: ReachedDatabase) => Promise<Value>): Promise<Value> {
  const reached = await reachDatabase(config(), (message) => out.progress(message));
  try {
    return await work(reached);
  } finally {
    await reached.release();
  }
}

function withDatabase<Value>(out: CliOutput, work: (database: Database) => Promise<Value>): Promise<Value> {
  return withReached(out, async ({ connection }) => {
    const database = openDatabase({ connection, connections: 2, applicationName: 'leadmarket command' });
    try {
      await migrateOrExplain(database, connection);
      return await work(database);
    } finally {
      await database.close();
    }
  });
}

async function migrateOrExplain(database: Database, connection: pg.ClientConfig): Promise<void> {
  try {
    await migrate(database, systemClock.now());
  } catch (error) {
    const unreachable = explainUnreachable(error, connection);
    if (unreachable === null) throw error;
    throw new OutsideError('database_unavailable', unreachable.says, { retryable: !unreachable.isFinal });
  }
}
