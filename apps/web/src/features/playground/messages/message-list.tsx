import { ArrowDown, Pencil } from 'lucide-react'
import { Fragment, type KeyboardEvent, memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { Textarea } from '../../../components/ui/field/input.tsx'
import type { AttachedImage, Thread, UserMessage } from '../chat/thread.ts'
import { isSendKey } from '../composer/send-key.ts'
import { AssistantResponse } from './response.tsx'

export interface MessageListProps {
  readonly thread: Thread
  /** Name of the conversation, for screen readers. */
  readonly label: string
  readonly onRetry: (id: string) => void
  readonly onResend: (id: string, text: string) => void
}

/** Shows the messages of one column; follows the newest unless the person scrolled up to read. */
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

/** Distance from the end that still counts as the end. */
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

interface QuestionProps {
  readonly message: UserMessage
  readonly onResend: (id: string, text: string) => void
}

/** Shows a message of the person, which can be edited and sent again. */
const Question = memo(function Question({ message, onResend }: QuestionProps) {
  const { t } = useTranslation('playground')
  const [editing, setEditing] = useState(false)
  if (editing) {
    return (
      <QuestionEditor
        text={message.content}
        mayBeEmpty={message.images.length > 0}
        onCancel={() => setEditing(false)}
        onSend={(text) => {
          setEditing(false)
          onResend(message.id, text)
        }}
      />
    )
  }
  return (
    <article
      aria-label={t('you')}
      className="group flex flex-row-reverse items-center justify-start gap-1 max-sm:flex-col max-sm:items-end"
    >
      <div className="flex min-w-0 max-w-[85%] flex-col items-end gap-2">
        <Pictures images={message.images} />
        {message.content !== '' && (
          <p className="max-w-full whitespace-pre-wrap break-words rounded-lg bg-accent-soft px-3.5 py-2">
            {message.content}
          </p>
        )}
      </div>
      <span className="flex items-center opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100 max-sm:opacity-100 [@media(hover:none)]:opacity-100">
        {message.content !== '' && <CopyButton value={message.content} label={t('copyMessage')} />}
        <IconButton icon={Pencil} label={t('edit')} size="sm" onClick={() => setEditing(true)} />
      </span>
    </article>
  )
})

function Pictures({ images }: { readonly images: readonly AttachedImage[] }) {
  if (images.length === 0) return null
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {images.map(({ url, name }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one picture may be there twice, and a sent message stays as it is
        <img key={index} src={url} alt={name} className="max-h-48 max-w-full rounded-lg border" />
      ))}
    </div>
  )
}

interface QuestionEditorProps {
  readonly text: string
  /** Its pictures say enough. */
  readonly mayBeEmpty: boolean
  readonly onCancel: () => void
  readonly onSend: (text: string) => void
}

function QuestionEditor({ text: before, mayBeEmpty, onCancel, onSend }: QuestionEditorProps) {
  const { t } = useTranslation('playground')
  const [text, setText] = useState(before)
  const words = text.trim()
  const canSend = mayBeEmpty || words !== ''

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') onCancel()
    if (!isSendKey(event.nativeEvent)) return
    event.preventDefault()
    if (canSend) onSend(words)
  }

  return (
    <div className="flex flex-col gap-2">
      <Textarea
        autoFocus
        aria-label={t('edit')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="mr-auto text-muted text-xs">{t('editHint')}</span>
        <Button size="sm" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button size="sm" variant="primary" disabled={!canSend} onClick={() => onSend(words)}>
          {t('resend')}
        </Button>
      </div>
    </div>
  )
}
