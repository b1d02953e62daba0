import type { LogEntry, LogOther } from '@tollgate/api'
import { ArrowRight, CornerDownRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../components/ui/copy.tsx'
import { Popover } from '../../../components/ui/popover.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import { cx } from '../../../lib/cx.ts'
import { formatFirstToken, formatUseTime } from '../../../lib/format.ts'
import { isCall } from '../log-type.ts'
import { firstTokenTier, tierText, tookTier } from '../tiers.ts'

/** The model asked for; a mark shows that the upstream knows it under another name. */
export function ModelCell({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  if (entry.model_name === '') return <Nothing />
  return (
    <span className="inline-flex max-w-64 items-center gap-1 max-sm:max-w-full">
      <CopyText value={entry.model_name} className="min-w-0" />
      {other.upstream_model_name && other.is_model_mapped && (
        <MappedMark asked={entry.model_name} served={other.upstream_model_name} />
      )}
    </span>
  )
}

function MappedMark({ asked, served }: { readonly asked: string; readonly served: string }) {
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
          <CopyText value={asked} />
        </dd>
        <dt className="text-muted">{t('mapped.served')}</dt>
        <dd>
          <CopyText value={served} />
        </dd>
      </dl>
    </Popover>
  )
}

/** How long the whole call took. */
export function UseTimeCell({ entry }: { readonly entry: LogEntry }) {
  if (!isCall(entry)) return <Nothing />
  return <span className={tierText[tookTier(entry.use_time)]}>{formatUseTime(entry.use_time)}</span>
}

/** How long the first token took; only a stream has one. */
export function FirstTokenCell({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  if (!entry.is_stream || other.frt === undefined || other.frt < 0) return <Nothing />
  return <span className={tierText[firstTokenTier(other.frt)]}>{formatFirstToken(other.frt)}</span>
}

export function StreamCell({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation('logs')
  if (!isCall(entry)) return <Nothing />
  return (
    <Tag tone={entry.is_stream ? 'info' : 'neutral'}>{t(entry.is_stream ? 'stream.yes' : 'stream.no')}</Tag>
  )
}

/** Channels in the order they were tried; more than one means that the first failed. */
export function RetryCell({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  if (!isCall(entry)) return <Nothing />
  const tried = channelsTried(entry, other)
  return (
    <span
      className={cx(
        'figures inline-flex items-center gap-0.5',
        tried.length > 1 ? 'text-warn' : 'text-muted',
      )}
      title={tried.length > 1 ? t('retries', { count: tried.length - 1 }) : undefined}
    >
      {tried.map((channel, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same channel may stand in the chain twice, and it never changes
        <span key={index} className="inline-flex items-center gap-0.5">
          {index > 0 && <ArrowRight className="size-3" aria-label="→" />}
          {channel}
        </span>
      ))}
    </span>
  )
}

export function channelsTried(entry: LogEntry, other: LogOther): readonly string[] {
  const tried = other.admin_info?.use_channel ?? []
  return tried.length > 0 ? tried : [String(entry.channel)]
}

export function Nothing() {
  return <span className="text-faint">–</span>
}
