import type { LogEntry } from '@tollgate/api'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSection, KeyValue } from '../../../components/ui/card.tsx'
import { CodeBlock, CopyText } from '../../../components/ui/copy.tsx'
import { prettyJson } from '../../../components/ui/json-editor.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { formatInteger } from '../../../lib/format.ts'
import { channelsTried } from '../cells/call-cells.tsx'
import { ChargeSection } from '../charge/charge-section.tsx'
import { isCall } from '../log-type.ts'
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
              <Money quota={entry.quota} precision="log" />
            </p>
          )}
          <p className="whitespace-pre-wrap break-words">{entry.content || t('entry.noContent')}</p>
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
  readonly other: ReturnType<typeof readOther>['other']
}

function Facts({ entry, admin, other }: FactsProps) {
  const { t } = useTranslation('logs')
  const call = isCall(entry)
  const { upstream_model_name, reasoning_effort, reasoning_tokens = 0, frt = -1, timing } = other
  return (
    <KeyValue
      items={[
        entry.request_id !== '' && {
          label: t('fact.requestId'),
          value: <CopyText value={entry.request_id} className="break-all" />,
        },
        { label: t('fact.number'), value: <span className="figures">{entry.id}</span> },
        entry.username !== '' && { label: t('column.user'), value: `${entry.username} #${entry.user_id}` },
        entry.token_name !== '' && {
          label: t('column.token'),
          value: <CopyText value={entry.token_name} mono={false} />,
        },
        entry.group !== '' && { label: t('column.group'), value: entry.group },
        admin &&
          call &&
          entry.channel !== 0 && {
            label: t('column.channel'),
            value: `#${entry.channel} ${entry.channel_name || t('channel.unknown')}`,
          },
        admin &&
          call &&
          channelsTried(entry, other).length > 1 && {
            label: t('column.retry'),
            value: channelsTried(entry, other).join(' → '),
          },
        entry.model_name !== '' && {
          label: t(upstream_model_name ? 'mapped.asked' : 'column.model'),
          value: <CopyText value={entry.model_name} />,
        },
        upstream_model_name !== undefined && {
          label: t('mapped.served'),
          value: <CopyText value={upstream_model_name} />,
        },
        call && { label: t('column.prompt'), value: figures(formatInteger(entry.prompt_tokens)) },
        call && { label: t('column.completion'), value: figures(formatInteger(entry.completion_tokens)) },
        reasoning_tokens > 0 && {
          label: t('fact.reasoningTokens'),
          value: figures(t('fact.ofCompletion', { count: formatInteger(reasoning_tokens) })),
        },
        reasoning_effort !== undefined && { label: t('fact.reasoningEffort'), value: reasoning_effort },
        call && {
          label: t('column.useTime'),
          value: figures(timing ? formatSpan(timing.done) : formatSpan(entry.use_time * 1000)),
        },
        frt >= 0 && { label: t('column.firstToken'), value: figures(formatSpan(frt)) },
        call && { label: t('column.stream'), value: t(entry.is_stream ? 'stream.yes' : 'stream.no') },
      ]}
    />
  )
}

function figures(text: string): ReactNode {
  return <span className="figures">{text}</span>
}
