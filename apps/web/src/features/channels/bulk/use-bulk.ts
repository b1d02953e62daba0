import { useQueryClient } from '@tanstack/react-query'
import { type Channel, channelStatuses } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import {
  deleteChannel,
  dropChannel,
  refreshChannel,
  showChannel,
  testChannel,
  updateChannel,
} from '../api.ts'
import { countOutcomes, type RunTarget, type Work } from './run.ts'
import { useRun } from './use-run.ts'

export type BulkKind = 'enable' | 'disable' | 'test' | 'delete'

/** The chosen rows, and what is being done to them. */
export function useBulk() {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const [ids, setIds] = useState<ReadonlySet<string>>(noIds)
  const [showOutcomes, setShowOutcomes] = useState(false)
  const { run, start, stop, clear } = useRun<BulkKind>()

  const work: Readonly<Record<BulkKind, Work>> = {
    enable: async ({ id }) =>
      showChannel(client, await updateChannel({ id, status: channelStatuses.enabled })),
    disable: async ({ id }) =>
      showChannel(client, await updateChannel({ id, status: channelStatuses.disabled })),
    delete: async ({ id }) => {
      await deleteChannel(id)
      dropChannel(client, id)
    },
    test: async ({ id }) => {
      try {
        return formatDuration((await testChannel(id)) * 1000)
      } finally {
        await refreshChannel(client, id)
      }
    },
  }

  async function begin(kind: BulkKind, targets: readonly RunTarget[]): Promise<void> {
    const outcomes = await start(kind, targets, work[kind])
    const { done, failed } = countOutcomes(outcomes)
    if (kind === 'delete') {
      const left = targets.filter(({ id }) => outcomes.get(id)?.state !== 'done')
      setIds(new Set(left.map(({ id }) => String(id))))
      await client.invalidateQueries({ queryKey: ['channels', 'list'] })
    }
    if (failed > 0) return setShowOutcomes(true)
    if (done > 0) toast.success(t(`bulk.${kind}Done`, { count: done }))
    if (kind === 'delete') clear()
  }

  return {
    ids,
    /** Choosing other rows forgets what was done to the ones before; nothing goes on unseen. */
    select(next: ReadonlySet<string>) {
      setIds(next)
      stop()
      if (!run?.active) clear()
    },
    run,
    begin: (kind: BulkKind, channels: readonly Channel[]) =>
      void begin(
        kind,
        channels.map(({ id, name }) => ({ id, name })),
      ),
    /** The failed ones again. */
    again() {
      if (run)
        void begin(
          run.kind,
          run.targets.filter(({ id }) => run.outcomes.get(id)?.state === 'failed'),
        )
    },
    stop,
    showOutcomes,
    setShowOutcomes,
  }
}

const noIds: ReadonlySet<string> = new Set()

export type Bulk = ReturnType<typeof useBulk>
