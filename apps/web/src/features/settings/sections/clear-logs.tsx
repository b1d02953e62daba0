import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { DateTimePicker } from '../../../components/ui/date/date-time-picker.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { confirm } from '../../../lib/confirm.ts'
import { formatDateTime, formatInteger } from '../../../lib/format/format.ts'
import { dateNow } from '../../../lib/server-clock.ts'
import { hasPart, useUser } from '../../../lib/session/session.ts'
import { toast } from '../../../lib/toast.ts'
import { clearingQuery } from '../api.ts'

const progressEveryMs = 1000

/** Shows the clearing to root, and to administrators to whom root gave it. */
export function ClearLogs() {
  return hasPart(useUser(), 'log-clearing') ? <LogClearing /> : null
}

/** Deletes old log entries, with the count so far and a button to stop. */
function LogClearing() {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const [before, setBefore] = useState<number | undefined>(() => monthBefore(dateNow()))
  const [problem, setProblem] = useState<string>()
  const clearing = useMutation({
    mutationFn: (before: number) => request(calls.logs.clear, { query: { target_timestamp: before } }),
    onSuccess: (deleted) => toast.success(t('clearLogs.done', { rows: formatInteger(deleted) })),
    onSettled: () => client.invalidateQueries(clearingQuery),
  })
  const { data: progress } = useQuery({
    ...clearingQuery,
    refetchInterval: ({ state }) => (clearing.isPending || state.data?.running ? progressEveryMs : false),
  })
  const cancel = useMutation({
    mutationFn: () => request(calls.logs.cancelClear),
    onSuccess: (data) => client.setQueryData(clearingQuery.queryKey, data),
  })
  const running = clearing.isPending || progress?.running === true

  async function clear(): Promise<void> {
    if (before === undefined) {
      setProblem(t('clearLogs.choose'))
      return
    }
    const sure = await confirm({
      title: t('clearLogs.title'),
      description: t('clearLogs.question', { time: formatDateTime(before) }),
      confirmLabel: t('clearLogs.clear'),
      danger: true,
    })
    if (sure) clearing.mutate(before)
  }

  return (
    <div className="flex flex-col gap-2 border-t pt-4">
      <Field label={t('clearLogs.before')} hint={t('clearLogs.hint')} error={problem}>
        <DateTimePicker
          value={before}
          disabled={running}
          onValueChange={(next) => {
            setBefore(next)
            setProblem(undefined)
          }}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="danger" loading={running} onClick={() => void clear()}>
          {t('clearLogs.clear')}
        </Button>
        {running && (
          <Button loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('clearLogs.stop')}
          </Button>
        )}
        {running && progress?.running && (
          <span className="figures text-muted text-sm" role="status">
            {t('clearLogs.progress', { rows: formatInteger(progress.deleted) })}
          </span>
        )}
      </div>
    </div>
  )
}

/** The same day and time one calendar month earlier, or the last day of that month, in seconds. */
function monthBefore(now: Date): number {
  const before = new Date(now)
  before.setDate(0)
  before.setDate(Math.min(before.getDate(), now.getDate()))
  return Math.floor(before.getTime() / 1000)
}
