import { ArrowDown } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../components/ui/button.tsx'
import type { Thread } from '../chat/thread.ts'
import { Question } from './question.tsx'
import { AssistantResponse } from './response.tsx'

export interface MessageListProps {
  readonly thread: Thread
  /** Which conversation it is of, for screen readers. */
  readonly label: string
  readonly onRetry: (id: string) => void
  readonly onResend: (id: string, text: string) => void
}

/** What was said in one column; follows what is being said unless the person scrolled up to read. */
export function MessageList({ thread, label, onRetry, onResend }: MessageListProps) {
  const { t } = useTranslation('playground')
  const { messages, contextStart } = thread
  const { frame, atEnd, onScroll, toEnd } = useFollow(thread)
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={frame}
        onScroll={onScroll}
        role="log"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain px-5 py-4 focus-visible:-outline-offset-2 max-sm:px-1"
      >
        <div className="mx-auto flex max-w-[760px] flex-col gap-5">
          {messages.map((message, index) => (
            <Fragment key={message.id}>
              {index === contextStart && index > 0 && <ContextMark />}
              {message.role === 'user' ? (
                <Question message={message} onResend={onResend} />
              ) : (
                <AssistantResponse response={message} onRetry={onRetry} />
              )}
            </Fragment>
          ))}
          {contextStart === messages.length && <ContextMark />}
        </div>
      </div>
      {!atEnd && (
        <span className="absolute inset-x-0 bottom-2 flex justify-center">
          <IconButton
            icon={ArrowDown}
            label={t('toEnd')}
            variant="secondary"
            size="sm"
            className="floating rounded-full!"
            onClick={toEnd}
          />
        </span>
      )}
    </div>
  )
}

function ContextMark(): ReactNode {
  const { t } = useTranslation('playground')
  return (
    <div className="flex items-center gap-3 text-muted text-xs">
      <hr className="flex-1 border-t" />
      {t('contextCleared')}
      <hr className="flex-1 border-t" />
    </div>
  )
}

/** How near the end still counts as being there. */
const nearPx = 48

function useFollow(thread: Thread) {
  const frame = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const [atEnd, setAtEnd] = useState(true)
  const { messages } = thread
  const sent = messages.findLast((message) => message.role === 'user')?.id

  // What the person just said is always shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each message sent
  useEffect(() => {
    following.current = true
  }, [sent])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each piece that came
  useEffect(() => {
    if (following.current && frame.current) frame.current.scrollTop = frame.current.scrollHeight
  }, [thread])
  // Code blocks and tables grow after they are drawn first.
  useEffect(() => {
    const content = frame.current?.firstElementChild
    if (!content) return
    const observer = new ResizeObserver(() => {
      if (following.current && frame.current) frame.current.scrollTop = frame.current.scrollHeight
    })
    observer.observe(content)
    return () => observer.disconnect()
  }, [])

  return {
    frame,
    atEnd,
    onScroll() {
      const box = frame.current
      if (!box) return
      following.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearPx
      setAtEnd(following.current)
    },
    toEnd() {
      following.current = true
      frame.current?.scrollTo({ top: frame.current.scrollHeight, behavior: 'smooth' })
    },
  }
}
