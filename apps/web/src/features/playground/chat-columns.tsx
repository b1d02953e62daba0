import { Square, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../components/ui/button.tsx'
import { SegmentedControl } from '../../components/ui/field/segmented-control.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { cx } from '../../lib/cx.ts'
import { formatDecimal, formatDuration } from '../../lib/format/format.ts'
import type { ChatStore } from './chat/chat-store.ts'
import { differenceOf, totalsOf } from './chat/comparison.ts'
import { type Column, type Conversation, columnLetters, columns, threadAt } from './chat/conversation.ts'
import { openResponse } from './chat/thread.ts'
import { useConversation } from './library/use-library.ts'
import { MessageList } from './messages/message-list.tsx'
import type { Target } from './settings.ts'
import type { RetryActions } from './use-playground.ts'

interface ChatColumnsProps {
  readonly chat: ChatStore
  readonly targets: readonly Target[]
  readonly again: RetryActions
  readonly onRemove: (column: Column) => void
}

/** Widths from which columns stand side by side, by their number: below the first, the user chooses one. */
const grids: Readonly<Record<number, string>> = {
  2: '@2xl:grid-cols-2',
  3: '@2xl:grid-cols-2 @4xl:grid-cols-3',
  4: '@2xl:grid-cols-2 @6xl:grid-cols-4',
}

/** The conversation, in one column or in up to four side by side. On a narrow screen, the user chooses one of them. */
export function ChatColumns({ chat, targets, again, onRemove }: ChatColumnsProps): ReactNode {
  const { t } = useTranslation('playground')
  const conversation = useConversation(chat)
  const [chosen, setVisible] = useState<Column>(0)
  const visible = targets.some(({ column }) => column === chosen) ? chosen : 0
  if (targets.length === 1) {
    return (
      <MessageList
        key={conversation.id}
        thread={threadAt(conversation, 0)}
        label={t('conversation')}
        onRetry={again.retry[0]}
        onResend={again.resend}
      />
    )
  }
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="shrink-0 border-b p-2 @2xl:hidden">
        <SegmentedControl
          label={t('compare.which')}
          value={columnLetters[visible]}
          options={targets.map(({ column, model }) => ({
            value: columnLetters[column],
            label: targets.length > 2 ? columnLetters[column] : `${columnLetters[column]} ${model}`,
          }))}
          onChange={(letter) =>
            setVisible(targets.find(({ column }) => columnLetters[column] === letter)?.column ?? 0)
          }
        />
      </div>
      <div
        className={cx(
          'grid min-h-0 flex-1 auto-rows-fr gap-px overflow-y-auto @2xl:bg-line',
          grids[targets.length],
        )}
      >
        {targets.map((target) => {
          const { column } = target
          return (
            <section
              key={column}
              aria-label={t('compare.column', { column: columnLetters[column] })}
              className={cx(
                // The third of three takes the second row where only two stand side by side.
                'min-h-0 min-w-0 flex-col @2xl:last:odd:col-span-2 @4xl:last:odd:col-span-1 sm:bg-surface @2xl:flex',
                visible === column ? 'flex' : 'hidden',
              )}
            >
              <ColumnHeader
                target={target}
                conversation={conversation}
                onStop={() => chat.stop(column)}
                onRemove={() => onRemove(column)}
              />
              <MessageList
                key={conversation.id}
                thread={threadAt(conversation, column)}
                label={t('compare.saidIn', { column: columnLetters[column] })}
                onRetry={again.retry[column]}
                onResend={again.resend}
              />
            </section>
          )
        })}
      </div>
      <ComparisonTotals conversation={conversation} targets={targets} />
    </div>
  )
}

interface ColumnHeaderProps {
  readonly target: Target
  readonly conversation: Conversation
  readonly onStop: () => void
  readonly onRemove: () => void
}

function ColumnHeader({ target, conversation, onStop, onRemove }: ColumnHeaderProps) {
  const { t } = useTranslation('playground')
  const { column, model, group } = target
  const letter = columnLetters[column]
  const own = conversation.threads[column]
  return (
    <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 border-b px-4 py-1">
      <Tag>{letter}</Tag>
      <h2 className="min-w-0 truncate font-medium font-mono text-xs leading-7">{model}</h2>
      <span className="mr-auto truncate text-muted text-xs">{group}</span>
      {own !== undefined && openResponse(own) !== undefined && (
        <Button size="sm" icon={Square} onClick={onStop}>
          {t('compare.stop', { column: letter })}
        </Button>
      )}
      {column > 0 && (
        <IconButton icon={X} size="sm" label={t('compare.remove', { column: letter })} onClick={onRemove} />
      )}
      {column > 0 ? (
        <DifferenceLine conversation={conversation} column={column} />
      ) : (
        <FirstLine conversation={conversation} />
      )}
    </header>
  )
}

interface DifferenceLineProps {
  readonly conversation: Conversation
  readonly column: Column
}

/** Says of column A that the others are compared with it: its header is as high as theirs. */
function FirstLine({ conversation }: Pick<DifferenceLineProps, 'conversation'>): ReactNode {
  const { t } = useTranslation('playground')
  if (columns.slice(1).every((column) => differenceOf(conversation, column) === undefined)) return null
  return <p className="w-full text-muted text-xs">{t('compare.first')}</p>
}

/** "3 × cheaper · 1.1 s faster · same answer", beside column A. */
function DifferenceLine({ conversation, column }: DifferenceLineProps): ReactNode {
  const { t } = useTranslation('playground')
  const difference = differenceOf(conversation, column)
  if (difference === undefined) return null
  const { timesCheaper, fasterMs, isSameAnswer } = difference
  const parts = [
    timesCheaper !== undefined && priceWords(timesCheaper),
    fasterMs !== undefined && timeWords(fasterMs),
    isSameAnswer && t('compare.same'),
  ].filter((part) => part !== false)
  return (
    <p className="figures w-full text-muted text-xs" title={t('compare.besideFirst')}>
      {parts.join(' · ')}
    </p>
  )

  function priceWords(times: number): string {
    if (Math.abs(times - 1) < sameRatio) return t('compare.samePrice')
    return times > 1
      ? t('compare.cheaper', { times: timesText(times) })
      : t('compare.dearer', { times: timesText(1 / times) })
  }
  function timeWords(ms: number): string {
    if (Math.abs(ms) < sameMs) return t('compare.sameTime')
    return t(ms > 0 ? 'compare.faster' : 'compare.slower', { time: formatDuration(Math.abs(ms)) })
  }
}

function timesText(times: number): string {
  return formatDecimal(times, times < 10 ? 1 : 0)
}

/** Differences that say nothing. */
const sameRatio = 0.05
const sameMs = 50

interface ComparisonTotalsProps {
  readonly conversation: Conversation
  readonly targets: readonly Target[]
}

/** Shows the charges of all columns together. */
function ComparisonTotals({ conversation, targets }: ComparisonTotalsProps): ReactNode {
  const { t } = useTranslation('playground')
  const { turn, all } = totalsOf(
    conversation,
    targets.map(({ column }) => column),
  )
  if (all === 0) return null
  return (
    <p className="figures flex shrink-0 flex-wrap gap-x-3 border-t px-4 py-1.5 text-muted text-xs">
      <span>
        {t('compare.turnTotal')} <Money quota={turn} exact single />
      </span>
      <span>
        {t('compare.total')} <Money quota={all} exact single />
      </span>
    </p>
  )
}
