import { Square } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { SegmentedControl } from '../../components/ui/field/segmented-control.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { cx } from '../../lib/cx.ts'
import type { ChatStore } from './chat/chat-store.ts'
import { type Column, columnLetters, threadAt } from './chat/conversation.ts'
import { openResponse } from './chat/thread.ts'
import { useConversation } from './library/use-library.ts'
import { MessageList } from './messages/message-list.tsx'
import type { Target } from './settings.ts'
import type { RetryActions } from './use-playground.ts'

interface ChatColumnsProps {
  readonly chat: ChatStore
  readonly targets: readonly Target[]
  readonly again: RetryActions
}

/** The conversation, in one column or in two side by side. On a narrow screen, the user chooses one of the two. */
export function ChatColumns({ chat, targets, again }: ChatColumnsProps): ReactNode {
  const { t } = useTranslation('playground')
  const conversation = useConversation(chat)
  const [visible, setVisible] = useState<Column>(0)
  const comparing = targets.length > 1
  if (!comparing) {
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
            label: `${columnLetters[column]} ${model}`,
          }))}
          onChange={(letter) => setVisible(letter === 'A' ? 0 : 1)}
        />
      </div>
      <div className="grid min-h-0 flex-1 @2xl:grid-cols-2 @2xl:divide-x">
        {targets.map((target) => {
          const { column } = target
          const own = conversation.threads[column]
          return (
            <section
              key={column}
              aria-label={t('compare.column', { column: columnLetters[column] })}
              className={cx('min-h-0 min-w-0 flex-col @2xl:flex', visible === column ? 'flex' : 'hidden')}
            >
              <ColumnHeader
                target={target}
                isResponding={own !== undefined && openResponse(own) !== undefined}
                onStop={() => chat.stop(column)}
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
    </div>
  )
}

interface ColumnHeaderProps {
  readonly target: Target
  readonly isResponding: boolean
  readonly onStop: () => void
}

function ColumnHeader({ target, isResponding, onStop }: ColumnHeaderProps) {
  const { t } = useTranslation('playground')
  const letter = columnLetters[target.column]
  return (
    // Where one column is chosen by name, its name need not be said again.
    <header
      className={cx(
        'min-h-10 shrink-0 items-center gap-2 border-b px-4 @2xl:flex',
        isResponding ? 'flex' : 'hidden',
      )}
    >
      <Tag>{letter}</Tag>
      <h2 className="min-w-0 truncate font-medium font-mono text-xs">{target.model}</h2>
      <span className="mr-auto truncate text-muted text-xs">{target.group}</span>
      {isResponding && (
        <Button size="sm" icon={Square} onClick={onStop}>
          {t('compare.stop', { column: letter })}
        </Button>
      )}
    </header>
  )
}
