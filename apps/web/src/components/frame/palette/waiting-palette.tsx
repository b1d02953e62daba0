import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaletteTyping } from './palette-typing.ts'

interface WaitingPaletteProps {
  readonly typing: PaletteTyping
  readonly onType: (typing: PaletteTyping) => void
  /** An input method is writing a word: whatever takes its box away loses it. */
  readonly onCompose: (composing: boolean) => void
  readonly onClose: () => void
}

const listKeys = new Set(['Enter', 'ArrowDown', 'ArrowUp'])

/**
 * Stands where the palette opens while its code loads. It is there with the key that opens it, so that no key after it reaches the
 * page.
 */
export function WaitingPalette({ typing, onType, onCompose, onClose }: WaitingPaletteProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLInputElement>(null)

  function read(): void {
    if (box.current) onType({ ...typing, text: box.current.value, selection: selectionOf(box.current) })
  }
  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    if (event.key === 'Tab' || event.key === 'Escape') event.preventDefault()
    if (!listKeys.has(event.key)) return
    event.preventDefault()
    onType({ ...typing, listKeys: [...typing.listKeys, event.key] })
  }

  return (
    <>
      <div className="fixed inset-0 z-40 bg-scrim" aria-hidden onPointerDown={onClose} />
      <div
        role="dialog"
        aria-modal
        aria-label={t('palette.title')}
        className="floating fixed top-[14dvh] left-1/2 z-40 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg"
      >
        <input
          ref={box}
          // biome-ignore lint/a11y/noAutofocus: the person has asked for this box, and types already
          autoFocus
          aria-label={t('palette.title')}
          defaultValue={typing.text}
          onInput={read}
          onSelect={read}
          onKeyDown={press}
          onCompositionStart={() => onCompose(true)}
          onCompositionEnd={() => onCompose(false)}
          placeholder={t('palette.placeholder')}
          className="h-12 w-full border-b bg-transparent px-4 text-base outline-none"
        />
        <p role="status" className="px-4 py-2.5 text-muted text-xs">
          {t('palette.loading')}
        </p>
      </div>
    </>
  )
}

function selectionOf({ selectionStart, selectionEnd }: HTMLInputElement): PaletteTyping['selection'] {
  return [selectionStart ?? 0, selectionEnd ?? 0]
}
