import { Link } from '@tanstack/react-router'
import type { LogEntry, LogOther } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyValue, type KeyValueItem } from '../../../components/ui/card.tsx'
import { CopyText } from '../../../components/ui/copy.tsx'
import { cx } from '../../../lib/cx.ts'
import { formatDateTime, formatInteger } from '../../../lib/format/format.ts'
import { formatSpan } from '../duration/format-span.ts'
import type { LogFilter } from '../log-filter.ts'
import { isAboutCall, isCall } from '../log-type.ts'

export interface FactsProps {
  readonly entry: LogEntry
  readonly admin: boolean
  readonly other: LogOther
}

type Fact = KeyValueItem | false

/** Shows the caller, the key, and the request. */
export function Facts(props: FactsProps) {
  const { entry, admin } = props
  const { t } = useTranslation('logs')
  const general: readonly Fact[] = [
    entry.request_id !== '' && {
      label: t('fact.requestId'),
      value: <CopyText value={entry.request_id} className="wrap-anywhere" />,
    },
    { label: t('column.time'), value: figures(formatDateTime(entry.created_at)) },
    { label: t('fact.number'), value: figures(String(entry.id)) },
    entry.username !== '' && {
      label: t('column.user'),
      value: admin ? (
        <WithCalls filter={{ user: entry.username }}>
          <Link to="/user/edit/$id" params={{ id: String(entry.user_id) }} className={link}>
            {`${entry.username} #${entry.user_id}`}
          </Link>
        </WithCalls>
      ) : (
        `${entry.username} #${entry.user_id}`
      ),
    },
    entry.token_name !== '' && {
      label: t('column.token'),
      value: (
        <WithCalls filter={{ token: entry.token_name }}>
          <CopyText value={entry.token_name} mono={false} />
        </WithCalls>
      ),
    },
    entry.group !== '' && { label: t('column.group'), value: entry.group },
  ]
  const call = useCallFacts(props)
  return <KeyValue items={isAboutCall(entry) ? [...general, ...call] : general} />
}

/** Returns the facts that only calls have. */
function useCallFacts({ entry, admin, other }: FactsProps): readonly Fact[] {
  const { t } = useTranslation('logs')
  const { upstream_model_name, reasoning_effort, reasoning_tokens = 0, frt = -1, timing } = other
  return [
    admin &&
      entry.channel > 0 && {
        label: t('column.channel'),
        value: (
          <WithCalls filter={{ channel: entry.channel }}>
            {entry.channel_name ? (
              <Link to="/channel/edit/$id" params={{ id: String(entry.channel) }} className={link}>
                {`${entry.channel_name} #${entry.channel}`}
              </Link>
            ) : (
              `${t('channel.unknown')} #${entry.channel}`
            )}
          </WithCalls>
        ),
      },
    {
      label: t(upstream_model_name ? 'mapped.asked' : 'column.model'),
      value: (
        <WithCalls filter={{ model: entry.model_name }}>
          <CopyText value={entry.model_name} />
        </WithCalls>
      ),
    },
    admin &&
      entry.model_name !== '' && {
        label: t('fact.route'),
        value: (
          <Link to="/route" search={routeOf(entry)} className={link}>
            {t('fact.simulate')}
          </Link>
        ),
      },
    upstream_model_name !== undefined && {
      label: t('mapped.served'),
      value: <CopyText value={upstream_model_name} />,
    },
    isCall(entry) && { label: t('column.prompt'), value: figures(formatInteger(entry.prompt_tokens)) },
    isCall(entry) && {
      label: t('column.completion'),
      value: figures(formatInteger(entry.completion_tokens)),
    },
    reasoning_tokens > 0 && {
      label: t('fact.reasoningTokens'),
      value: figures(t('fact.ofCompletion', { count: formatInteger(reasoning_tokens) })),
    },
    reasoning_effort !== undefined && { label: t('fact.reasoningEffort'), value: reasoning_effort },
    other.is_system_prompt_overwritten === true && {
      label: t('fact.systemPrompt'),
      value: t('fact.ofChannel'),
    },
    { label: t('fact.took'), value: figures(formatSpan(timing?.done ?? entry.use_time * 1000)) },
    frt >= 0 && { label: t('fact.firstToken'), value: figures(formatSpan(frt)) },
    { label: t('fact.delivery'), value: t(entry.is_stream ? 'stream.yes' : 'stream.no') },
  ]
}

/** The call, as the route simulator takes it. */
function routeOf({ model_name: model, group, token_id: key }: LogEntry) {
  return { model, group: group || undefined, key: key || undefined }
}

const link = 'rounded-sm text-accent-text hover:underline max-sm:py-1.5'

/** Shows a fact of a call, and beside it the way to all calls with the same. */
function WithCalls({ filter, children }: { readonly filter: LogFilter; readonly children: ReactNode }) {
  const { t } = useTranslation('logs')
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-3">
      <span className="min-w-0">{children}</span>
      <Link to="/log" search={filter} className={cx(link, 'text-xs')}>
        {t('fact.calls')}
      </Link>
    </span>
  )
}

function figures(text: string): ReactNode {
  return <span className="figures">{text}</span>
}
