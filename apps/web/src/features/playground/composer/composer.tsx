import { ArrowUp, Eraser, ImagePlus, Square, X } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { cx } from '../../../lib/cx.ts'
import type { AttachedImage } from '../chat/thread.ts'
import { imageTypes, maxImageBytes, maxImages } from './read-images.ts'
import { isSendKey } from './send-key.ts'
import type { Draft } from './use-draft.ts'

export interface ComposerProps {
  readonly input: RefObject<HTMLTextAreaElement | null>
  readonly draft: Draft
  readonly onSend: () => void
  readonly onStop: () => void
  /** A response is running. */
  readonly isResponding: boolean
  /** Something to send could be sent: there is a model. */
  readonly ready: boolean
  /** Reason for which nothing can be sent with these settings. */
  readonly fault?: string
  readonly placeholder: string
  /** Cost of the draft, in place of the hint on keys. */
  readonly cost?: ReactNode
  readonly onClearContext: () => void
  readonly canClearContext: boolean
}

/** Edits the next message. */
export function Composer(props: ComposerProps) {
  const { input, draft, onSend, onStop, isResponding, ready } = props
  const { t } = useTranslation('playground')
  const canSend = ready && (draft.text.trim() !== '' || draft.images.length > 0)

  // A message is usually the first thing one wants to write here; a touch keyboard should wait to be asked for.
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) input.current?.focus()
  }, [input])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && isResponding) onStop()
    if (!isSendKey(event.nativeEvent)) return
    event.preventDefault()
    if (canSend && !isResponding) onSend()
  }
  function onPaste(event: ClipboardEvent): void {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    void draft.addFiles(files)
  }

  return (
    <div className="@container flex flex-col rounded-lg border border-line-strong bg-surface transition-[border-color,box-shadow] focus-within:border-accent focus-within:shadow-[0_0_0_3px_color-mix(in_srgb,var(--accent)_22%,transparent)]">
      <ImageStrip images={draft.images} onRemove={draft.removeImage} />
      <textarea
        ref={input}
        rows={1}
        value={draft.text}
        enterKeyHint="send"
        aria-label={t('write')}
        placeholder={props.placeholder}
        onChange={(event) => draft.setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        className="field-sizing-content max-h-[35dvh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 outline-none"
      />
      <div className="flex items-center gap-1 px-2 pb-2">
        <AttachButton onFiles={draft.addFiles} />
        <IconButton
          icon={Eraser}
          label={t('clearContext')}
          size="sm"
          disabled={!props.canClearContext}
          onClick={props.onClearContext}
        />
        {props.fault === undefined ? (
          <span className={cx('mx-1 mr-auto truncate text-muted text-xs', !props.cost && '@max-md:hidden')}>
            {props.cost ?? t('sendHint')}
          </span>
        ) : (
          <span role="status" className="mx-1 mr-auto text-bad text-xs">
            {props.fault}
          </span>
        )}
        <span className="ml-auto">
          {isResponding ? (
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

function AttachButton({ onFiles }: { readonly onFiles: Draft['addFiles'] }) {
  const { t } = useTranslation('playground')
  const picker = useRef<HTMLInputElement>(null)
  const label = t('image.attach', { size: maxImageBytes / 1_000_000, upperBound: maxImages })
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={imageTypes.join(',')}
        aria-label={label}
        onChange={(event) => {
          void onFiles([...(event.target.files ?? [])])
          // The same file can be chosen again after it was removed.
          event.target.value = ''
        }}
      />
      <IconButton icon={ImagePlus} label={label} size="sm" onClick={() => picker.current?.click()} />
    </>
  )
}

interface ImageStripProps {
  readonly images: readonly AttachedImage[]
  readonly onRemove: (image: AttachedImage) => void
}

/** Pictures that go with the next message. */
function ImageStrip({ images, onRemove }: ImageStripProps) {
  const { t } = useTranslation('playground')
  if (images.length === 0) return null
  return (
    <ul aria-label={t('image.attached')} className="flex flex-wrap gap-2 px-3 pt-3">
      {images.map((image) => (
        <li key={image.url} className="relative">
          <img src={image.url} alt={image.name} className="size-14 rounded border object-cover" />
          <button
            type="button"
            aria-label={t('image.remove', { name: image.name })}
            onClick={() => onRemove(image)}
            className="floating absolute -top-2 -right-2 grid size-6 place-items-center rounded-full text-muted hover:text-text max-sm:size-8"
          >
            <X className="size-3.5" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}
