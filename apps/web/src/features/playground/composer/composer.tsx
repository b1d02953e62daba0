import { ArrowUp, Eraser, Square } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { isSendKey } from './send-key.ts'

export interface ComposerProps {
  readonly input: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onSend: () => void
  readonly onStop: () => void
  /** An answer is being given. */
  readonly answering: boolean
  /** Something to send could be sent: there is a model. */
  readonly ready: boolean
  readonly onClearContext: () => void
  readonly canClearContext: boolean
}

/** Where the next message is written. */
export function Composer(props: ComposerProps) {
  const { input, text, onChange, onSend, onStop, answering, ready } = props
  const { t } = useTranslation('playground')
  const canSend = ready && text.trim() !== ''

  // A message is usually the first thing one wants to write here; a touch keyboard should wait to be asked for.
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) input.current?.focus()
  }, [input])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && answering) onStop()
    if (!isSendKey(event.nativeEvent)) return
    event.preventDefault()
    if (canSend && !answering) onSend()
  }

  return (
    <div className="flex flex-col rounded-lg border border-line-strong bg-surface transition-[border-color,box-shadow] focus-within:border-accent focus-within:shadow-[0_0_0_3px_color-mix(in_srgb,var(--accent)_22%,transparent)]">
      <textarea
        ref={input}
        rows={1}
        value={text}
        enterKeyHint="send"
        aria-label={t('write')}
        placeholder={t('write')}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content max-h-[35dvh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 outline-none"
      />
      <div className="flex items-center gap-2 px-2 pb-2">
        <IconButton
          icon={Eraser}
          label={t('clearContext')}
          size="sm"
          disabled={!props.canClearContext}
          onClick={props.onClearContext}
        />
        <span className="mr-auto truncate text-muted text-xs max-sm:hidden">{t('sendHint')}</span>
        <span className="ml-auto">
          {answering ? (
            <Button size="sm" icon={Square} onClick={onStop}>
              {t('stop')}
            </Button>
          ) : (
            <Button size="sm" variant="primary" icon={ArrowUp} disabled={!canSend} onClick={onSend}>
              {t('send')}
            </Button>
          )}
        </span>
      </div>
    </div>
  )
}
