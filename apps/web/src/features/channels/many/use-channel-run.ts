import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChannelRun } from '@tollgate/api'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { channelApi } from '../api.ts'
import { type RunKind, runs } from './api.ts'

/** While a run is under way, how often it is asked how far it is. */
const pollMs = 1000

/** Progress of the server's work on every channel, also when another administrator started it. */
export function useChannelRun(kind: RunKind) {
  const client = useQueryClient()
  const queryKey = ['channel-run', kind]
  const progress = useQuery({
    queryKey,
    queryFn: ({ signal }) => runs[kind].progress(signal),
    refetchInterval: ({ state }) => (state.data?.running ? pollMs : false),
  })
  const again = () => client.invalidateQueries({ queryKey })
  const start = useMutation({ mutationFn: runs[kind].start, onSettled: again })
  const cancel = useMutation({ mutationFn: runs[kind].cancel, onSettled: again })
  const tell = useRunResult(kind)
  const run = progress.data
  const last = useRef<string>(undefined)
  useEffect(() => {
    if (run === undefined) return
    const mark = run.running ? 'running' : `${run.started_at} ${run.finished_at} ${run.done}`
    // A run that ended before this page was opened needs no message.
    if (last.current !== undefined && last.current !== mark && !run.running) {
      tell(run)
      void channelApi.lists.refresh(client)
    }
    last.current = mark
  })
  return {
    kind,
    /** `undefined` while nothing runs. */
    run: run?.running ? run : undefined,
    /** The last one that ended. */
    last: run !== undefined && !run.running && run.finished_at > 0 ? run : undefined,
    starting: start.isPending,
    start: () => start.mutate(),
    cancelling: cancel.isPending,
    cancel: () => cancel.mutate(),
  }
}

export type ChannelRunControl = ReturnType<typeof useChannelRun>

/** Decides whether the last run took channels out of service, or would have but for its limits. */
export function tookOut({ last }: ChannelRunControl): boolean {
  return (last?.taken_out?.length ?? 0) + (last?.spared?.length ?? 0) > 0
}

/** Says how a run ended; failures stay to be read. */
function useRunResult(kind: RunKind): (run: ChannelRun) => void {
  const { t } = useTranslation('channels')
  return ({ total, done, failed, cancelled }) => {
    if (cancelled) toast.info(t(`run.${kind}Cancelled`, { done, total }))
    else if (failed > 0) toast.warning(t(`run.${kind}Failed`, { count: failed, total }))
    else toast.success(t(`run.${kind}Done`, { count: done }))
  }
}
