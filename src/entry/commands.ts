// Declares all commands of `leadmarket` in the groups of its help. The modules of a command are loaded when it is called (contract 7.2).
import type { Command } from 'commander';

import { type CommandGroup, declareCommands } from '../platform/cli.ts';
import type { CommandsContext } from './command-context.ts';
import {
  registerDeliveries,
  registerDoctor,
  registerLead,
  registerLedger,
  registerPartner,
  registerSecret,
  registerSimulate,
  withOwners,
  withTargets,
} from './composed-commands.ts';
import { registerMigrate, registerServe } from './serve.cli.ts';

/** What a newcomer calls first. */
export const FIRST_STEPS: ReadonlyArray<readonly [command: string, does: string]> = [
  ['serve', 'run the service, at first with an example marketplace'],
  ['lead list', 'see the leads that came in, newest first'],
  ['doctor', 'check that everything the service needs is there'],
];

/** Slices are imported in here alone: what stands at the top of this file is loaded for the help and by every command. */
export const commandGroups: ReadonlyArray<CommandGroup<CommandsContext>> = [
  {
    title: 'Run',
    commands: [
      {
        usage: 'serve',
        description: 'run the service: API, workers, and the embedded database unless DATABASE_URL names another',
        register: registerServe,
      },
      {
        usage: 'demo',
        description: 'manage the example marketplace of the first start',
        register: async (command, context) =>
          (await import('../demo/demo.cli.ts')).registerDemoCommands(command, context),
      },
      {
        usage: 'migrate',
        description: 'migrate the database to this version; the server and all other commands do so as well',
        register: registerMigrate,
      },
    ],
  },
  {
    title: 'Configure',
    commands: [
      {
        usage: 'apply <file>',
        description: 'apply a marketplace file, all or nothing, and show the changes',
        register: async (command, context) =>
          (await import('../marketplace-file/marketplace-file.cli.ts')).registerApply(command, withTargets(context)),
      },
      {
        usage: 'export-config',
        description: 'print the current configuration as a marketplace file',
        register: async (command, context) =>
          (await import('../marketplace-file/marketplace-file.cli.ts')).registerExportConfig(command, context),
      },
      {
        usage: 'file-schema',
        description: 'print the JSON Schema of marketplace files, for completion and validation in editors',
        register: async (command, context) =>
          (await import('../marketplace-file/marketplace-file.cli.ts')).registerFileSchema(command, context),
      },
      {
        usage: 'simulate <file>',
        description: 'replay the last days of leads against another marketplace file; changes nothing',
        register: registerSimulate,
      },
      {
        usage: 'import',
        description: 'import CSV files of another system',
        register: async (command, context) =>
          (await import('../imports/import.cli.ts')).registerImportCommands(command, withTargets(context)),
      },
    ],
  },
  {
    title: 'People and keys',
    commands: [
      {
        usage: 'supplier',
        description: 'manage suppliers, who submit leads',
        register: async (command, context) =>
          (await import('../suppliers/suppliers.cli.ts')).registerSupplierCommands(command, context),
      },
      { usage: 'partner', description: 'manage partners, the buyers of leads', register: registerPartner },
      {
        usage: 'operator',
        description: 'manage the operators of the console',
        register: async (command, context) =>
          (await import('../sessions/operators.cli.ts')).registerOperatorCommands(command, context),
      },
      {
        usage: 'key',
        description: "manage suppliers' keys for submitting leads",
        register: async (command, context) =>
          (await import('../credentials/credentials.cli.ts')).registerKeyCommands(command, withOwners(context)),
      },
      {
        usage: 'token',
        description: "manage partners' tokens for the API",
        register: async (command, context) =>
          (await import('../credentials/credentials.cli.ts')).registerTokenCommands(command, withOwners(context)),
      },
      {
        usage: 'operator-token',
        description: "manage tokens for the operator's HTTP API",
        register: async (command, context) =>
          (await import('../credentials/operator-tokens.cli.ts')).registerOperatorTokenCommands(command, context),
      },
      {
        usage: 'secret',
        description: 'the secrets that sign webhooks and callbacks, and the named secrets of custom webhooks',
        register: registerSecret,
      },
    ],
  },
  {
    title: 'Leads and deliveries',
    commands: [
      { usage: 'lead', description: 'leads that suppliers submitted, and their outcome', register: registerLead },
      { usage: 'deliveries', description: 'deliveries of leads to partners', register: registerDeliveries },
      {
        usage: 'claims',
        description: "partners' returns and disputes",
        register: async (command, context) =>
          (await import('../claims/claims.cli.ts')).registerClaimsCommands(command, context),
      },
      {
        usage: 'offer',
        description: 'offers, and their pauses after rejections',
        register: async (command, context) =>
          (await import('../reports/responses.cli.ts')).registerOfferCommands(command, context),
      },
      {
        usage: 'endpoint',
        description: "manage a partner's webhook endpoint",
        register: async (command, context) =>
          (await import('../buyers/buyers.cli.ts')).registerEndpointCommands(command, context),
      },
      {
        usage: 'report',
        description: 'figures of leads, deliveries and money: by supplier, partner, day and more',
        register: async (command, context) =>
          (await import('../reports/report.cli.ts')).registerReportCommand(command, context),
      },
    ],
  },
  {
    title: 'Money',
    commands: [
      {
        usage: 'invoices',
        description: 'monthly invoices of partners',
        register: async (command, context) =>
          (await import('../invoices/invoices.cli.ts')).registerInvoicesCommands(command, context),
      },
      {
        usage: 'payments',
        description: 'payments of partners',
        register: async (command, context) =>
          (await import('../imports/payments.cli.ts')).registerPaymentsCommands(command, context),
      },
      {
        usage: 'statements',
        description: 'monthly statements of suppliers',
        register: async (command, context) =>
          (await import('../statements/statements.cli.ts')).registerStatementsCommands(command, context),
      },
      {
        usage: 'payouts',
        description: 'payouts to suppliers',
        register: async (command, context) =>
          (await import('../statements/payouts.cli.ts')).registerPayoutsCommands(command, context),
      },
      { usage: 'ledger', description: 'balances of partners and suppliers', register: registerLedger },
    ],
  },
  {
    title: 'Privacy',
    commands: [
      {
        usage: 'list',
        description: 'lists of phones, email addresses, domains and zip codes whose leads are not sold',
        register: async (command, context) =>
          (await import('../imports/lists.cli.ts')).registerListCommands(command, context),
      },
      {
        usage: 'retention',
        description: 'delete expired data; "lead erase" erases one person',
        register: async (command, context) =>
          (await import('../privacy/retention.cli.ts')).registerRetentionCommand(command, context),
      },
    ],
  },
  {
    title: 'Upkeep',
    commands: [
      {
        usage: 'doctor',
        description: 'check the database, the disk, the clocks and the services outside that are set up',
        register: registerDoctor,
      },
      {
        usage: 'backup <file>',
        description:
          'write all rows of the database, as they are at this instant, into a new file; servers keep running',
        register: async (command, context) =>
          (await import('../platform/backup.cli.ts')).registerBackup(command, context),
      },
      {
        usage: 'restore <file>',
        description: 'load a backup into an empty database and migrate it to this version; no server may be running',
        register: async (command, context) =>
          (await import('../platform/backup.cli.ts')).registerRestore(command, context),
      },
      {
        usage: 'jobs',
        description: 'jobs that failed for good',
        register: async (command, context) =>
          (await import('../routing/jobs.cli.ts')).registerJobsCommands(command, context),
      },
      {
        usage: 'notices',
        description: 'notices to partners, suppliers and operators',
        register: async (command, context) =>
          (await import('../notices/notices.cli.ts')).registerNoticesCommands(command, context),
      },
      {
        usage: 'mail',
        description: 'mail that was kept instead of sent, because no mail server is set up',
        register: async (command, context) =>
          (await import('../platform/outbound/mail/mail.cli.ts')).registerMailCommands(command, context),
      },
    ],
  },
];

/** `context` is made only for a called command, because making it takes longer than the help. */
export async function registerCommands(
  program: Command,
  called: string | null,
  context: () => CommandsContext | Promise<CommandsContext>,
): Promise<void> {
  await declareCommands(program, commandGroups, { called, context });
  const widest = Math.max(...FIRST_STEPS.map(([command]) => command.length));
  const steps = FIRST_STEPS.map(([command, does]) => `  leadmarket ${command.padEnd(widest)}  ${does}`);
  program.addHelpText('after', ['', 'Try first:', ...steps].join('\n'));
}
