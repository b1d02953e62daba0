import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AttachedImage } from '../chat/thread.ts'

export interface ImageStripProps {
  readonly images: readonly AttachedImage[]
  readonly onRemove: (image: AttachedImage) => void
}

/** Pictures that go with the next message. */
export function ImageStrip({ images, onRemove }: ImageStripProps) {
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
