import { Wrench } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ToolCall } from '../chat/response-part.ts'
import { soundFile } from './sound-file.ts'

interface ResponseImagesProps {
  readonly urls: readonly string[]
  readonly model: string
}

/** Pictures that a model made; each opens by itself. */
export function ResponseImages({ urls, model }: ResponseImagesProps) {
  const { t } = useTranslation('playground')
  return (
    <ul className="flex flex-wrap gap-3">
      {urls.map((url, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a model may give one picture twice, and pictures never change places
        <li key={at}>
          <img
            src={url}
            alt={t('image.made', { model, number: at + 1 })}
            referrerPolicy="no-referrer"
            className="max-h-96 max-w-full rounded border"
          />
        </li>
      ))}
    </ul>
  )
}

interface ResponseSoundProps {
  /** Base64, each piece decoded by itself. */
  readonly pieces: readonly string[]
  readonly model: string
}

export function ResponseSound({ pieces, model }: ResponseSoundProps) {
  const { t } = useTranslation('playground')
  const file = useMemo(() => soundFile(pieces), [pieces])
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const address = URL.createObjectURL(file)
    setUrl(address)
    return () => URL.revokeObjectURL(address)
  }, [file])
  return (
    // biome-ignore lint/a11y/useMediaCaption: what is said stands above it as the response's text
    <audio controls src={url} aria-label={t('sound', { model })} className="w-full max-w-96" />
  )
}

/** A function that the model wants called, with its arguments. */
export function ToolCallBox({ call }: { readonly call: ToolCall }) {
  const { t } = useTranslation('playground')
  return (
    <figure className="min-w-0 rounded border bg-sunken px-3 py-2">
      <figcaption className="flex items-center gap-1.5 text-muted text-xs">
        <Wrench className="size-3.5 shrink-0" aria-hidden />
        <span className="min-w-0 break-words">{t('tool.called', { name: call.name })}</span>
      </figcaption>
      <pre className="mt-1 overflow-x-auto whitespace-pre-wrap break-words font-mono text-xs">
        {call.arguments === '' ? '{}' : call.arguments}
      </pre>
    </figure>
  )
}
