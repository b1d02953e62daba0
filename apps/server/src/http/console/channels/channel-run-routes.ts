import { type ChannelRun, calls } from '@tollgate/api'
import type { ChannelBalances } from '../../../channels/balance/update-balances.ts'
import type { AuditedRun } from '../../../channels/testing/audited-run.ts'
import type { RunProgress } from '../../../channels/testing/channel-runner.ts'
import { type ConsoleRoute, route } from '../route.ts'

export interface ChannelRunDependencies {
  readonly testRun: AuditedRun
  readonly balanceRun: AuditedRun
  readonly balances: Pick<ChannelBalances, 'update'>
}

const { channels } = calls

/** Runs over all channels, and the balance of one. */
export function runRoutes({
  testRun,
  balanceRun,
  balances,
}: ChannelRunDependencies): readonly ConsoleRoute[] {
  return [
    route(channels.testAll, async (_, { actor }) => {
      await testRun.start(actor)
      return { data: undefined }
    }),
    route(channels.testProgress, async () => ({ data: toWire(testRun.progress) })),
    route(channels.cancelTest, async (_, { actor }) => ({ data: toWire(await testRun.cancel(actor)) })),
    route(channels.updateBalance, async ({ params }, { actor }) => ({
      data: undefined,
      extra: { balance: await balances.update(params.id, actor) },
    })),
    route(channels.updateAllBalances, async (_, { actor }) => {
      await balanceRun.start(actor)
      return { data: undefined }
    }),
    route(channels.balanceProgress, async () => ({ data: toWire(balanceRun.progress) })),
    route(channels.cancelBalances, async (_, { actor }) => ({
      data: toWire(await balanceRun.cancel(actor)),
    })),
  ]
}

function toWire({ startedAt, finishedAt, startedBy, ...figures }: RunProgress): ChannelRun {
  return { ...figures, started_at: startedAt, finished_at: finishedAt, started_by: startedBy }
}
