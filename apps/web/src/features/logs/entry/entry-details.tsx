import type { LogEntry, LogOther } from '@tollgate/api'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSection, KeyValue, type KeyValueItem } from '../../../components/ui/card.tsx'
import { CodeBlock, CopyText } from '../../../components/ui/copy.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { formatInteger } from '../../../lib/format.ts'
import { prettyJson } from '../../../lib/json-text.ts'
import { channelsTried } from '../cells/call-cells.tsx'
import { ChargeSection } from '../charge/charge-section.tsx'
import { isCall, isFailedCall } from '../log-type.ts'
import { formatSpan } from '../timeline/timeline.ts'
import { TimelineChart } from '../timeline/timeline-chart.tsx'
import { readOther } from './other.ts'

/** Everything a row says: the bill, where the time went, and the facts. */
export function EntryDetails({ entry, admin }: { readonly entry: LogEntry; readonly admin: boolean }) {
  const { t } = useTranslation('logs')
  const { other, broken } = useMemo(() => readOther(entry.other), [entry.other])
  return (
    <div className="flex flex-col gap-6">
      {broken && <Notice tone="warn">{t('entry.broken')}</Notice>}
      {isCall(entry) ? (
        <>
          <Section title={t('section.charge')}>
            <ChargeSection entry={entry} other={other} />
          </Section>
          <Section title={t('section.timeline')}>
            <TimelineChart entry={entry} other={other} />
          </Section>
        </>
      ) : (
        <Section title={t('section.event')}>
          {entry.quota !== 0 && (
            <p className="mb-1 font-semibold text-xl">
              <Money quota={entry.quota} exact />
            </p>
          )}
          <p className="whitespace-pre-wrap break-words">{entry.content || t('entry.noContent')}</p>
          {isFailedCall(entry) && <p className="mt-1 text-muted text-sm">{t('entry.uncharged')}</p>}
        </Section>
      )}
      {isFailedCall(entry) && (
        <Section title={t('section.timeline')}>
          <TimelineChart entry={entry} other={other} />
        </Section>
      )}
      <Section title={t('section.facts')}>
        <Facts entry={entry} admin={admin} other={other} />
      </Section>
      {entry.other !== '' && (
        <FormSection id="log-raw" title={t('section.raw')} folded>
          <CodeBlock code={prettyJson(entry.other)} label={t('entry.copyRaw')} />
        </FormSection>
      )}
    </div>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 font-semibold text-sm">{title}</h3>
      {children}
    </section>
  )
}

interface FactsProps {
  readonly entry: LogEntry
  readonly admin: boolean
  readonly other: LogOther
}

type Fact = KeyValueItem | false

function Facts(props: FactsProps) {
  const { entry } = props
  const { t } = useTranslation('logs')
  const general: readonly Fact[] = [
    entry.request_id !== '' && {
      label: t('fact.requestId'),
      value: <CopyText value={entry.request_id} className="break-all" />,
    },
    { label: t('fact.number'), value: figures(String(entry.id)) },
    entry.username !== '' && { label: t('column.user'), value: `${entry.username} #${entry.user_id}` },
    entry.token_name !== '' && {
      label: t('column.token'),
      value: <CopyText value={entry.token_name} mono={false} />,
    },
    entry.group !== '' && { label: t('column.group'), value: entry.group },
  ]
  const call = useCallFacts(props)
  const isAboutCall = isCall(entry) || isFailedCall(entry)
  return <KeyValue items={isAboutCall ? [...general, ...call] : general} />
}

/** What only calls have. */
function useCallFacts({ entry, admin, other }: FactsProps): readonly Fact[] {
  const { t } = useTranslation('logs')
  const { upstream_model_name, reasoning_effort, reasoning_tokens = 0, frt = -1, timing } = other
  const tried = channelsTried(entry, other)
  return [
    admin && {
      label: t('column.channel'),
      value: `#${entry.channel} ${entry.channel_name || t('channel.unknown')}`,
    },
    admin && tried.length > 1 && { label: t('column.retry'), value: tried.join(' → ') },
    {
      label: t(upstream_model_name ? 'mapped.asked' : 'column.model'),
      value: <CopyText value={entry.model_name} />,
    },
    upstream_model_name !== undefined && {
      label: t('mapped.served'),
      value: <CopyText value={upstream_model_name} />,
    },
    { label: t('column.prompt'), value: figures(formatInteger(entry.prompt_tokens)) },
    { label: t('column.completion'), value: figures(formatInteger(entry.completion_tokens)) },
    reasoning_tokens > 0 && {
      label: t('fact.reasoningTokens'),
      value: figures(t('fact.ofCompletion', { count: formatInteger(reasoning_tokens) })),
    },
    reasoning_effort !== undefined && { label: t('fact.reasoningEffort'), value: reasoning_effort },
    { label: t('fact.took'), value: figures(formatSpan(timing?.done ?? entry.use_time * 1000)) },
    frt >= 0 && { label: t('fact.firstToken'), value: figures(formatSpan(frt)) },
    { label: t('fact.delivery'), value: t(entry.is_stream ? 'stream.yesHint' : 'stream.noHint') },
  ]
}

function figures(text: string): ReactNode {
  return <span className="figures">{text}</span>
}
