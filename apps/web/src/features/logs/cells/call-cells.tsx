import type { LogEntry, LogOther } from '@tollgate/api'
import { CornerDownRight } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../components/ui/copy.tsx'
import { Popover } from '../../../components/ui/overlay/popover.tsx'
import { NoValue } from '../../../components/ui/tag.tsx'
import { hasPart, useUser } from '../../../lib/session/session.ts'
import { ChannelName } from '../attempts/channel-name.tsx'
import type { LogRow } from '../log-row.ts'
import { isAboutCall } from '../log-type.ts'
import { DurationCell } from './duration-cells.tsx'
import { ChannelCell, TypeTag } from './row-cells.tsx'

interface ModelCellProps {
  readonly entry: LogEntry
  readonly other: LogOther
  /** They stand below. */
  readonly withUser: boolean
  readonly withChannel: boolean
}

/** The requested model; a mark shows that the upstream knows it under another name. Of a row about no call: its type. */
export function ModelCell({ entry, other, withUser, withChannel }: ModelCellProps) {
  if (entry.model_name === '') return <TypeTag entry={entry} />
  return (
    <>
      <span className="flex h-5 max-w-full items-center gap-1">
        <CopyText value={entry.model_name} className="min-w-0" />
        {other.upstream_model_name && other.is_model_mapped && (
          <MappedMark requested={entry.model_name} served={other.upstream_model_name} />
        )}
      </span>
      {withChannel && (
        <span className="flex gap-1 text-2xs text-muted leading-4">
          {withUser && <span className="max-w-1/2 shrink-0 truncate">{entry.username}</span>}
          {withUser && entry.channel > 0 && <span aria-hidden>·</span>}
          {entry.channel > 0 && <ChannelCell entry={entry} other={other} />}
        </span>
      )}
    </>
  )
}

/** Shows on a card who called, to administrators through which channel, and how long it took. */
export function CallerLine(row: LogRow) {
  const { entry, other } = row
  const everyones = hasPart(useUser(), 'log')
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-xs leading-4">
      <span className="min-w-0 truncate">
        {(everyones && entry.username) || entry.token_name || <NoValue />}
      </span>
      {everyones && entry.channel > 0 && (
        <span className="flex min-w-0 gap-1.5 text-muted">
          <span aria-hidden>·</span>
          <ChannelCell entry={entry} other={other} />
        </span>
      )}
      <span className="flex shrink-0 gap-1.5 text-muted">
        <span aria-hidden>·</span>
        <DurationCell {...row} />
      </span>
    </span>
  )
}

function MappedMark({ requested, served }: { readonly requested: string; readonly served: string }) {
  const { t } = useTranslation('logs')
  return (
    <Popover
      label={t('mapped.label')}
      openOnHover
      trigger={
        <button
          type="button"
          aria-label={t('mapped.label')}
          className="grid size-5 shrink-0 place-items-center rounded-sm text-info hover:bg-hover max-sm:size-9"
        >
          <CornerDownRight className="size-3.5" aria-hidden />
        </button>
      }
    >
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 text-xs">
        <dt className="text-muted">{t('mapped.asked')}</dt>
        <dd>
          <CopyText value={requested} />
        </dd>
        <dt className="text-muted">{t('mapped.served')}</dt>
        <dd>
          <CopyText value={served} />
        </dd>
      </dl>
    </Popover>
  )
}

/** Shows in words whether it was streamed. */
export function StreamCell({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation('logs')
  return isAboutCall(entry) ? t(entry.is_stream ? 'stream.yes' : 'stream.no') : <NoValue />
}

/** Channels in the order they were tried, where one was not enough. */
export function RetryCell({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  const tried = other.admin_info?.use_channel ?? []
  if (tried.length < 2) return <NoValue />
  return (
    <span
      className="block truncate text-warn"
      title={t('retries', { count: tried.length, channels: tried.map((id) => `#${id}`).join(' → ') })}
    >
      {tried.map((channel, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the chain may contain the same channel twice, and it never changes
        <Fragment key={index}>
          {index > 0 && ' → '}
          <ChannelName id={Number(channel)} entry={entry} />
        </Fragment>
      ))}
    </span>
  )
}

/** Shows the subject of a row on a card. */
export function TitleCell({ entry }: { readonly entry: LogEntry }) {
  if (entry.model_name === '') {
    return (
      <span className="line-clamp-3 whitespace-normal break-words" title={entry.content}>
        {entry.content}
      </span>
    )
  }
  return <span className="font-mono">{entry.model_name}</span>
}
