import { Pencil } from 'lucide-react'
import { type KeyboardEvent, memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { Textarea } from '../../../components/ui/input.tsx'
import type { AttachedImage, UserMessage } from '../chat/thread.ts'
import { isSendKey } from '../composer/send-key.ts'

export interface QuestionProps {
  readonly message: UserMessage
  readonly onResend: (id: string, text: string) => void
}

/** What the person said; can be said differently. */
export const Question = memo(function Question({ message, onResend }: QuestionProps) {
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
      {images.map(({ url, name }) => (
        <img key={url} src={url} alt={name} className="max-h-48 max-w-full rounded-lg border" />
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
