import type { LogEntry, LogOther } from '@tollgate/api'
import { CornerDownRight } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../components/ui/copy.tsx'
import { Popover } from '../../../components/ui/overlay/popover.tsx'
import { NoValue, Tag } from '../../../components/ui/tag.tsx'
import { formatDuration } from '../../../lib/format/format.ts'
import { ChannelName } from '../attempts/channel-name.tsx'
import { isAboutCall } from '../log-type.ts'
import { durationTier, firstTokenTier, tierText } from '../tiers.ts'

/**
 * The model asked for; a mark shows that the upstream knows it under another name. Rows about no call have their text
 * here, where it is seen without scrolling.
 */
export function ModelCell({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  if (entry.model_name === '') return <EventText text={entry.content} />
  return (
    <span className="inline-flex max-w-46 items-center gap-1 max-sm:max-w-full">
      <CopyText value={entry.model_name} className="min-w-0" />
      {other.upstream_model_name && other.is_model_mapped && (
        <MappedMark requested={entry.model_name} served={other.upstream_model_name} />
      )}
    </span>
  )
}

function EventText({ text }: { readonly text: string }) {
  if (text === '') return <NoValue />
  return (
    <span className="block max-w-46 truncate max-sm:max-w-full" title={text}>
      {text}
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

/** The row has whole seconds; its explanation knows better. */
export function durationMsOf(entry: LogEntry, other: LogOther): number {
  return other.timing?.done ?? entry.use_time * 1000
}

/** How long the whole call took, how long its first token, and whether it was streamed. */
export function DurationCell({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  if (!isAboutCall(entry)) return <NoValue />
  const { is_stream: streamed } = entry
  const tookMs = durationMsOf(entry, other)
  return (
    <span className="figures inline-grid grid-cols-[minmax(2rem,max-content)_minmax(2.5rem,max-content)_auto] items-center gap-x-1.5 whitespace-nowrap text-right">
      <span className={tierText[durationTier(tookMs / 1000)]}>{formatDuration(tookMs)}</span>
      {streamed && other.frt !== undefined && other.frt >= 0 ? (
        <span className={tierText[firstTokenTier(other.frt)]}>{formatDuration(other.frt)}</span>
      ) : (
        <NoValue />
      )}
      {streamed && <Tag tone="info">{t('stream.tag')}</Tag>}
    </span>
  )
}

/** Channels in the order they were tried, where one was not enough. */
export function RetryCell({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  const tried = other.admin_info?.use_channel ?? []
  if (tried.length < 2) return <NoValue />
  return (
    <span
      className="block max-w-46 truncate text-warn"
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
