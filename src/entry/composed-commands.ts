// Registers the commands that several slices make up, or that need functions of other slices.
import type { Command } from 'commander';

import type { Tx } from '../platform/database/database.ts';
import type { CommandsContext } from './command-context.ts';

export async function registerSimulate(command: Command, context: CommandsContext): Promise<void> {
  const [{ registerSimulateCommand }, { replicaOf }] = await Promise.all([
    import('../simulation/simulate.cli.ts'),
    import('../platform/database/connect.ts'),
  ]);
  const replica = () => replicaOf(context.config());
  registerSimulateCommand(command, { ...withTargets(context), replica });
}

export async function registerPartner(command: Command, context: CommandsContext): Promise<void> {
  const [{ registerPartnerCommands }, { registerAuditCommand }, { registerPartnerResponses }] = await Promise.all([
    import('../buyers/buyers.cli.ts'),
    import('../audit/audit.cli.ts'),
    import('../reports/responses.cli.ts'),
  ]);
  registerPartnerCommands(command, context);
  registerAuditCommand(command, context);
  registerPartnerResponses(command, context);
}

export async function registerSecret(command: Command, context: CommandsContext): Promise<void> {
  const [{ registerSecretCommands }, { registerPartnerSecretCommands }, { openSecretKeys }] = await Promise.all([
    import('../credentials/signing-secrets.cli.ts'),
    import('../credentials/partner-secrets.cli.ts'),
    import('../platform/secrets/secret-keys.ts'),
  ]);
  const owned = withOwners(context);
  registerSecretCommands(command, owned);
  const secretKeys = () => openSecretKeys(context.config());
  registerPartnerSecretCommands(command, { ...owned, secretKeys });
}

export async function registerLead(command: Command, context: CommandsContext): Promise<void> {
  const [{ registerLeadList }, { registerTraceCommand }, { registerEraseCommand }, { registerConsentCommand }] =
    await Promise.all([
      import('../leads/leads.cli.ts'),
      import('../routing/trace.cli.ts'),
      import('../privacy/erase.cli.ts'),
      import('../privacy/consent.cli.ts'),
    ]);
  registerLeadList(command, context);
  registerTraceCommand(command, context);
  registerEraseCommand(command, context);
  registerConsentCommand(command, context);
}

export async function registerDeliveries(command: Command, context: CommandsContext): Promise<void> {
  const [{ registerDeliveriesCommands }, { reviveDeliveries }, { priceByHand }] = await Promise.all([
    import('../deliveries/deliveries.cli.ts'),
    import('../routing/revive-deliveries.ts'),
    import('../routing/price-by-hand.ts'),
  ]);
  registerDeliveriesCommands(command, { ...context, revive: reviveDeliveries, price: priceByHand });
}

export async function registerLedger(command: Command, context: CommandsContext): Promise<void> {
  const [{ registerLedgerCommands }, { checkHolds }, { checkInvoices }, { checkStatements }, { checkReports }] =
    await Promise.all([
      import('../ledger/ledger.cli.ts'),
      import('../deliveries/settle-deliveries.ts'),
      import('../invoices/check-invoices.ts'),
      import('../statements/check-statements.ts'),
      import('../reports/check-reports.ts'),
    ]);
  const otherChecks = [checkHolds, checkInvoices, checkStatements, checkReports];
  registerLedgerCommands(command, { ...context, otherChecks });
}

export async function registerDoctor(command: Command, context: CommandsContext): Promise<void> {
  const [
    { registerDoctorCommand },
    { examineTimeZones },
    { examineFonts },
    { examineOperators },
    { examineDemo },
    { nextStep },
  ] = await Promise.all([
    import('../platform/doctor.cli.ts'),
    import('../buyers/examine-time-zones.ts'),
    import('../invoices/examine-fonts.ts'),
    import('../sessions/list-operators.ts'),
    import('../demo/examine-demo.ts'),
    import('./next-step.ts'),
  ]);
  registerDoctorCommand(command, {
    ...context,
    further: [examineTimeZones, examineFonts, examineOperators, examineDemo],
    nextStep: (database, config) => nextStep(database, config, context.clock.now()),
  });
}

export function withTargets(context: CommandsContext) {
  return {
    ...context,
    async allowedTargets(tx: Tx) {
      const { readAllowedTargets } = await import('../demo/allowed-targets.ts');
      return readAllowedTargets(tx, context.config());
    },
  };
}

export function withOwners(context: CommandsContext) {
  return {
    ...context,
    async ownerExists(kind: 'supplier' | 'buyer', key: string, tx: Tx) {
      if (kind === 'supplier')
        return (await (await import('../suppliers/read-suppliers.ts')).readSuppliers(tx)).has(key);
      return (await (await import('../buyers/read-buyers.ts')).readBuyers(tx)).has(key);
    },
  };
}
