import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LogEntry, LogOther } from '@tollgate/api'
import { Repeat } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { Notice, NoValue } from '../../../components/ui/tag.tsx'
import { cx } from '../../../lib/cx.ts'
import { formatDuration, formatInteger } from '../../../lib/format/format.ts'
import { requestQuery } from '../api.ts'
import { durationMsOf } from '../duration/duration.ts'
import { type ReplayResult, replay, replayChannelsQuery, storedQuery } from './api.ts'

interface ReplayProps {
  readonly entry: LogEntry
  readonly other: LogOther
}

/** The failed call once more on another channel, where its request is kept; else why it is not. */
export function ReplaySection({ entry, other }: ReplayProps) {
  const { t } = useTranslation('logs')
  const { data: retained } = useQuery(storedQuery(entry.request_id))
  const { data: channels = [] } = useQuery({
    ...replayChannelsQuery(entry),
    enabled: retained !== undefined && retained.expires_at > 0,
  })
  const [chosen, setChosen] = useState<number>()
  const client = useQueryClient()
  const channel = chosen ?? channels.find(({ id }) => id !== entry.channel)?.id ?? channels[0]?.id
  const run = useMutation({
    mutationFn: () => replay(entry.request_id, channel ?? 0),
    onSettled: () => client.invalidateQueries({ queryKey: ['logs'], refetchType: 'none' }),
  })
  if (retained === undefined) return null
  if (retained.expires_at === 0) return <p className="text-muted text-sm">{t('replay.notKept')}</p>
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="w-64 max-sm:w-full">
          <Select
            aria-label={t('replay.channel')}
            value={channel}
            onValueChange={setChosen}
            options={channels.map(({ id, name }) => ({ value: id, label: name }))}
            disabled={channels.length === 0}
          />
        </div>
        <Button
          icon={Repeat}
          loading={run.isPending}
          disabled={channel === undefined}
          onClick={() => run.mutate()}
        >
          {t('replay.run')}
        </Button>
      </div>
      <p className="text-muted text-xs">
        {t('replay.hint')} <RelativeTime at={retained.expires_at} upcoming />
      </p>
      {run.error && <Notice tone="bad">{run.error.message}</Notice>}
      {run.data && <Comparison entry={entry} other={other} result={run.data} />}
    </div>
  )
}

/** Status, tokens, time and price of both, beside each other. */
function Comparison({ entry, other, result }: ReplayProps & { readonly result: ReplayResult }) {
  const { t } = useTranslation('logs')
  const { data: row } = useQuery(requestQuery({ admin: true, id: result.requestId }))
  const isGood = result.status < 400
  return (
    <div className="flex flex-col gap-2">
      <table className="figures w-full table-fixed text-sm">
        <caption className="sr-only">{t('replay.comparison')}</caption>
        <thead className="text-muted text-xs">
          <tr>
            <td className="w-1/4" />
            <th scope="col" className={cx(cell, 'font-normal')}>
              {t('replay.before')}
            </th>
            <th scope="col" className={cx(cell, 'font-normal')}>
              {t('replay.now')}
            </th>
          </tr>
        </thead>
        <tbody>
          <Line
            label={t('replay.status')}
            before={<span className="text-bad">{other.error?.status ?? '–'}</span>}
          >
            <span className={isGood ? 'text-good' : 'text-bad'}>{result.status}</span>
          </Line>
          <Line label={t('fact.took')} before={formatDuration(durationMsOf(entry, other))}>
            {formatDuration(result.tookMs)}
          </Line>
          <Line label={t('column.tokens')} before={<Tokens entry={entry} />}>
            {row ? <Tokens entry={row} /> : <NoValue />}
          </Line>
          <Line label={t('column.cost')} before={<Money quota={entry.quota} exact single />}>
            {row ? <Money quota={row.quota} exact single /> : <NoValue />}
          </Line>
        </tbody>
      </table>
      {result.message !== '' && <p className="break-words text-bad text-sm">{result.message}</p>}
      {row && (
        <Link
          to="/log"
          search={{ range: '1h', entry: String(row.id), at: row.created_at }}
          className="self-start text-accent-text text-sm hover:underline"
        >
          {t('replay.open')}
        </Link>
      )}
    </div>
  )
}

const cell = 'py-1 text-right'

interface LineProps {
  readonly label: string
  readonly before: ReactNode
  readonly children: ReactNode
}

function Line({ label, before, children }: LineProps) {
  return (
    <tr className="border-t">
      <th scope="row" className="py-1 text-left font-normal text-muted">
        {label}
      </th>
      <td className={cell}>{before}</td>
      <td className={cell}>{children}</td>
    </tr>
  )
}

function Tokens({ entry: { prompt_tokens, completion_tokens } }: { readonly entry: LogEntry }) {
  return `${formatInteger(prompt_tokens)} → ${formatInteger(completion_tokens)}`
}
