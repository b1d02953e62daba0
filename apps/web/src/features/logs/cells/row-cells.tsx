import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LogEntry, LogOther } from '@tollgate/api'
import { Repeat } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { KeyValue } from '../../../components/ui/card.tsx'
import { CopyText } from '../../../components/ui/copy.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { Popover } from '../../../components/ui/overlay/popover.tsx'
import { Skeleton } from '../../../components/ui/states.tsx'
import { NoValue, Tag, type Tone } from '../../../components/ui/tag.tsx'
import { formatDateTime, formatInteger } from '../../../lib/format/format.ts'
import { hasPart, useUser } from '../../../lib/session/session.ts'
import { personQuery } from '../api.ts'
import type { LogRow } from '../log-row.ts'
import { isAboutCall, isCall, typeOf } from '../log-type.ts'

const typeTones: Readonly<Record<ReturnType<typeof typeOf>, Tone>> = {
  consumption: 'neutral',
  'top-up': 'good',
  management: 'warn',
  system: 'info',
  error: 'bad',
  unknown: 'neutral',
}

export function TypeTag({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation('logs')
  const type = typeOf(entry)
  return <Tag tone={typeTones[type]}>{t(`type.${type}`)}</Tag>
}

/** Shows the time of a row; the day only where it begins. */
export function TimeCell({ row }: { readonly row: LogRow }) {
  return (
    <time
      dateTime={new Date(row.entry.created_at * 1000).toISOString()}
      title={formatDateTime(row.entry.created_at)}
      className="figures block font-normal leading-5"
    >
      {row.day && (
        <span className="block font-normal text-2xs text-muted leading-3 max-sm:hidden">
          {row.day.slice(5)}
        </span>
      )}
      {row.time}
    </time>
  )
}

/** The channel that answered, or failed last; how many were tried where one was not enough. */
export function ChannelCell({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  if (!isAboutCall(entry) || entry.channel === 0) return <NoValue />
  const tries = other.admin_info?.use_channel.length ?? 0
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="truncate" title={`#${entry.channel} ${entry.channel_name}`}>
        {entry.channel_name || t('channel.unknown')}
      </span>
      {tries > 1 && (
        <span
          className="inline-flex shrink-0 items-center gap-0.5 text-2xs text-warn"
          title={t('attempts.count', { count: tries })}
        >
          <Repeat className="size-3" aria-hidden />
          <span aria-hidden>{tries}</span>
          <span className="sr-only">{t('attempts.count', { count: tries })}</span>
        </span>
      )}
    </span>
  )
}

/** The person; a press shows how they stand. */
export function UserCell({ entry }: { readonly entry: LogEntry }) {
  const seesPeople = hasPart(useUser(), 'users')
  if (entry.username === '') return <NoValue />
  if (!seesPeople) return entry.username
  return (
    <Popover
      label={entry.username}
      className="w-60"
      trigger={
        <button
          type="button"
          className="max-w-full truncate rounded-sm align-middle decoration-dotted underline-offset-2 hover:text-accent-text hover:underline max-sm:min-h-9"
        >
          {entry.username}
        </button>
      }
    >
      <Person id={entry.user_id} name={entry.username} />
    </Popover>
  )
}

function Person({ id, name }: { readonly id: number; readonly name: string }) {
  const { t } = useTranslation('logs')
  const { data, error } = useQuery(personQuery(id))
  if (error) return <p className="text-bad text-xs">{error.message}</p>
  const waiting = <Skeleton className="w-20!" />
  return (
    <div className="flex flex-col gap-2.5">
      <p className="font-semibold">
        {data?.username ?? name} <span className="figures font-normal text-muted text-xs">#{id}</span>
      </p>
      <KeyValue
        items={[
          { label: t('person.balance'), value: data ? <Money quota={data.quota} /> : waiting },
          { label: t('person.used'), value: data ? <Money quota={data.used_quota} /> : waiting },
          {
            label: t('person.calls'),
            value: data ? <span className="figures">{formatInteger(data.request_count)}</span> : waiting,
          },
          { label: t('column.group'), value: data ? data.group : waiting },
        ]}
      />
      <p className="flex gap-4 border-t pt-2 text-xs">
        <Link to="/log" search={{ user: name }} className="text-accent-text hover:underline">
          {t('fact.calls')}
        </Link>
        <Link to="/user/edit/$id" params={{ id: String(id) }} className="text-accent-text hover:underline">
          {t('person.open')}
        </Link>
      </p>
    </div>
  )
}

export function TokenCell({ entry }: { readonly entry: LogEntry }) {
  if (entry.token_name === '') return <NoValue />
  return (
    <CopyText value={entry.token_name} mono={false} className="max-w-full">
      <span className="line-clamp-2 whitespace-normal break-words leading-4" title={entry.token_name}>
        {entry.token_name}
      </span>
    </CopyText>
  )
}

export function GroupCell({ entry }: { readonly entry: LogEntry }) {
  return entry.group === '' ? <NoValue /> : <Tag>{entry.group}</Tag>
}

/** Shows on a card the type of a row that is not a plain call, and its time. */
export function CornerCell({ row }: { readonly row: LogRow }) {
  return (
    <span className="flex items-center gap-2 text-muted text-xs">
      {!isCall(row.entry) && <TypeTag entry={row.entry} />}
      <span className="figures">
        {row.day?.slice(5)} {row.time}
      </span>
    </span>
  )
}
