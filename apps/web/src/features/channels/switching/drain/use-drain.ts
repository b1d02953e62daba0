import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Channel, calls, channelStatuses } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { useStops } from '../../../../components/stops/index.ts'
import { request } from '../../../../lib/api/api-client.ts'
import { toast } from '../../../../lib/toast.ts'
import { channelApi } from '../../api.ts'

/** Acts on the drain of a channel; absent where they make no sense. */
export interface DrainActs {
  /** Has new calls avoid it, after the question what stops with it. */
  readonly start: (() => Promise<void>) | undefined
  /** Leaves it disabled, whatever is open there. */
  readonly end: (() => void) | undefined
  /** Chooses whether it stays when nothing is open any more. */
  readonly stay: ((stays: boolean) => void) | undefined
  readonly isPending: boolean
}

/** Starts and ends the drain of a channel. */
export function useDrain({ id, name, status, drain }: Channel): DrainActs {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const { ask, offerUndo } = useStops()
  const onSuccess = (changed: Channel) => channelApi.lists.show(client, changed)
  const params = { id }
  const drained = useMutation({
    mutationFn: (stays: boolean) => request(calls.channels.drain, { params, body: { stays } }),
    onSuccess,
  })
  const ended = useMutation({
    mutationFn: () => request(calls.channels.endDrain, { params }),
    onSuccess(changed) {
      onSuccess(changed)
      toast.success(t('drain.ended', { name }))
    },
  })

  async function start(): Promise<void> {
    const question = { title: t('drain.title', { name }), confirmLabel: t('drain.start') }
    if (!(await ask({ ids: [id] }, question))) return
    await drained.mutateAsync(false)
    offerUndo(t('drain.started', { name }), [{ action: 'channel.drain', kind: 'channel', target: id }])
  }
  const isDraining = Boolean(drain)
  return {
    start: status === channelStatuses.enabled ? start : undefined,
    end: isDraining ? () => ended.mutate() : undefined,
    stay: isDraining ? (stays) => drained.mutate(stays) : undefined,
    isPending: drained.isPending || ended.isPending,
  }
}

const refreshMs = 3000

/** Returns a channel as it is by now for as long as it drains: its form must not change under what is typed. */
export function useDrainProgress(channel: Channel): Channel {
  const { id } = channel
  const { drain } = channel
  const isDraining = Boolean(drain)
  const { data } = useQuery({
    // What was read of an earlier drain is not shown for this one.
    queryKey: ['channels', 'drain', id, drain?.since],
    queryFn: ({ signal }) => request(calls.channels.get, { params: { id }, signal }),
    enabled: isDraining,
    refetchInterval: refreshMs,
  })
  return (isDraining && data) || channel
}
