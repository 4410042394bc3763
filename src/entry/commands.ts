// Registers all commands of `leadmarket`: those of the slices, `serve` and `migrate` (contract 7.2).
import { type Command, Option } from 'commander';

import { registerAuditCommand } from '../audit/audit.cli.ts';
import { registerPartnerCommands, registerEndpointCommands } from '../buyers/buyers.cli.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { registerClaimsCommands } from '../claims/claims.cli.ts';
import { registerCredentialCommands } from '../credentials/credentials.cli.ts';
import { checkHolds } from '../deliveries/settle-deliveries.ts';
import { registerDeliveriesCommands } from '../deliveries/deliveries.cli.ts';
import { readAllowedTargets } from '../demo/allowed-targets.ts';
import { registerDemoCommands } from '../demo/demo.cli.ts';
import { examineDemo } from '../demo/open-demo.ts';
import { checkInvoices } from '../invoices/check-invoices.ts';
import { registerImportCommands } from '../imports/import.cli.ts';
import { registerListCommands } from '../imports/lists.cli.ts';
import { registerPaymentsCommands } from '../imports/payments.cli.ts';
import { registerInvoicesCommands } from '../invoices/invoices.cli.ts';
import { registerLeadList } from '../leads/leads.cli.ts';
import { registerLedgerCommands } from '../ledger/ledger.cli.ts';
import { registerMarketplaceFileCommands } from '../marketplace-file/marketplace-file.cli.ts';
import { type BackupContext, registerBackupCommands } from '../platform/backup.cli.ts';
import type { CliContext } from '../platform/cli.ts';
import type { Config, ConfigOutcome } from '../platform/config.ts';
import type { Tx } from '../platform/database/database.ts';
import type { MigrationReport } from '../platform/database/migrate.ts';
import { replicaOf } from '../platform/database/connect.ts';
import { registerDoctor } from '../platform/doctor.cli.ts';
import { OutsideError } from '../platform/outside-error.ts';
import { openSecretKeys } from '../platform/secrets/secret-keys.ts';
import { registerMailCommands } from '../platform/outbound/mail/mail.cli.ts';
import { registerConsentCommand } from '../privacy/consent.cli.ts';
import { registerEraseCommand } from '../privacy/erase.cli.ts';
import { registerReportCommand } from '../reports/report.cli.ts';
import { registerResponsesCommands } from '../reports/responses.cli.ts';
import { checkReports } from '../reports/check-reports.ts';
import { registerRetentionCommand } from '../privacy/retention.cli.ts';
import { registerNoticesCommands } from '../notices/notices.cli.ts';
import { registerJobsCommands } from '../routing/jobs.cli.ts';
import { reviveDeliveries } from '../routing/revive-deliveries.ts';
import { registerTraceCommand } from '../routing/trace.cli.ts';
import type { Role } from '../app/runtime.ts';
import { examineOperators } from '../sessions/list-operators.ts';
import { type OperatorCliContext, registerOperatorCommands } from '../sessions/operators.cli.ts';
import { registerSimulateCommand } from '../simulation/simulate.cli.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { checkStatements } from '../statements/check-statements.ts';
import { registerPayoutsCommands } from '../statements/payouts.cli.ts';
import { registerStatementsCommands } from '../statements/statements.cli.ts';
import { registerSupplierCommands } from '../suppliers/suppliers.cli.ts';

export type CommandsContext = CliContext &
  BackupContext &
  OperatorCliContext & {
    /** Errors in it are reported by commands that need the configuration, so that help always works. */
    readonly environment: ConfigOutcome;
    /** What every command with a database does first; this one reports it. */
    readonly migrate: () => Promise<MigrationReport>;
  };

/** Throws when the environment has errors. */
export function configOf(environment: ConfigOutcome): Config {
  if (environment.ok) return environment.config;
  throw new OutsideError('database_unavailable', environment.faults.join('\n'), { retryable: false });
}

export function registerCommands(program: Command, context: CommandsContext): void {
  const { environment } = context;
  registerServer(program, context);
  registerBackupCommands(program, context);
  registerDoctor(program, {
    ...context,
    config: () => configOf(environment),
    further: [examineOperators, examineDemo],
  });
  const fileContext = {
    ...context,
    allowedTargets: (tx: Tx) => readAllowedTargets(tx, configOf(environment)),
    replica: () => replicaOf(configOf(environment)),
  };
  registerMarketplaceFileCommands(program, fileContext);
  registerImportCommands(program, fileContext);
  registerPaymentsCommands(program, context);
  registerListCommands(program, context);
  registerSimulateCommand(program, fileContext);
  registerSupplierCommands(program, context);
  const partner = registerPartnerCommands(program, context);
  registerAuditCommand(partner, context);
  registerResponsesCommands(program, partner, context);
  registerEndpointCommands(program, context);
  registerCredentialCommands(program, {
    ...context,
    ownerExists: async (kind, key, tx) =>
      (kind === 'supplier' ? await readSuppliers(tx) : await readBuyers(tx)).has(key),
    secretKeys: () => openSecretKeys(configOf(environment)),
  });
  registerOperatorCommands(program, context);
  const lead = program.command('lead').description('leads that suppliers submitted, and their outcome');
  registerLeadList(lead, context);
  registerTraceCommand(lead, context);
  registerEraseCommand(lead, context);
  registerConsentCommand(lead, context);
  registerRetentionCommand(program, context);
  registerClaimsCommands(program, context);
  registerLedgerCommands(program, {
    ...context,
    otherChecks: [checkHolds, checkInvoices, checkStatements, checkReports],
  });
  registerReportCommand(program, context);
  registerInvoicesCommands(program, context);
  registerStatementsCommands(program, context);
  registerPayoutsCommands(program, context);
  registerDeliveriesCommands(program, { ...context, revive: reviveDeliveries });
  registerJobsCommands(program, context);
  registerMailCommands(program, context);
  registerNoticesCommands(program, context);
  registerDemoCommands(program, context);
}

const ROLES: readonly Role[] = ['all', 'api', 'worker'];

function registerServer(program: Command, { environment, out, migrate }: CommandsContext): void {
  program
    .command('serve')
    .description('run the service: API, workers, and the embedded database unless DATABASE_URL names another')
    .addOption(new Option('--role <role>', 'what this process does').choices(ROLES).default('all'))
    .action(async ({ role }: { role: Role }) => {
      if (!environment.ok) return out.refuse('configuration_invalid', environment.faults.join('\n'));
      // Imported only here: the server's libraries take longer to load than most commands to run.
      const { serve } = await import('./serve.ts');
      await serve(environment.config, role);
    });
  program
    .command('migrate')
    .description('migrate the database to this version; the server and all other commands do so as well')
    .action(async () => {
      const report = await migrate();
      out.print({
        json: { applied: report.applied, already: report.already },
        text: report.applied.length === 0 ? 'The schema is up to date.' : `Applied ${report.applied.join(', ')}.`,
      });
    });
}
