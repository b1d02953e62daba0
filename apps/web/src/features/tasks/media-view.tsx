import { useQuery } from '@tanstack/react-query'
import { ImageOff, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { cx } from '../../lib/cx.ts'
import type { Medium } from './media.ts'
import { loadVideo } from './orders.ts'

export interface MediaViewProps {
  readonly media: readonly Medium[]
  /** Prompt, which describes an image for people who cannot see it. */
  readonly prompt: string
}

/** Shows the results of a job, as large as there is room. */
export function MediaView({ media, prompt }: MediaViewProps) {
  return (
    <div className="flex flex-col gap-3">
      {media.map((medium, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the media of a job never change places
        <MediumView key={index} medium={medium} prompt={prompt} />
      ))}
    </div>
  )
}

function MediumView({ medium, prompt }: { readonly medium: Medium; readonly prompt: string }) {
  const { t } = useTranslation('tasks')
  switch (medium.kind) {
    case 'image':
      return <LargeImage url={medium.url} alt={prompt || t('image.title')} />
    case 'audio':
      return <Song {...medium} />
    case 'video':
      return <Video url={medium.url} poster={medium.poster} />
    case 'stored-video':
      return <StoredVideo id={medium.id} />
    case 'text':
      return (
        <article className="rounded-lg border p-3">
          {medium.title && <h3 className="font-semibold text-sm">{medium.title}</h3>}
          <p className="mt-1 whitespace-pre-wrap text-sm">{medium.text}</p>
        </article>
      )
  }
}

function LargeImage({ url, alt }: { readonly url: string; readonly alt: string }) {
  const { t } = useTranslation('tasks')
  const [failed, setFailed] = useState(false)
  if (failed) return <Notice tone="warn">{t('image.failed')}</Notice>
  return (
    <a href={url} target="_blank" rel="noreferrer" title={t('image.open')} className="rounded-lg bg-sunken">
      <img
        src={url}
        alt={alt}
        referrerPolicy="no-referrer"
        onError={() => setFailed(true)}
        className="mx-auto max-h-[52dvh] min-h-40 max-w-full rounded-lg object-contain"
      />
    </a>
  )
}

function Song({ url, title, cover }: Extract<Medium, { kind: 'audio' }>) {
  const { t } = useTranslation('tasks')
  const [failed, setFailed] = useState(false)
  return (
    <figure className="flex items-center gap-3 rounded-lg border p-3">
      <Thumbnail url={cover} className="size-16" />
      <div className="min-w-0 flex-1">
        {title && <figcaption className="truncate font-medium text-sm">{title}</figcaption>}
        {failed ? (
          <p className="text-bad text-sm">{t('media.failed')}</p>
        ) : (
          // biome-ignore lint/a11y/useMediaCaption: a song has no captions; its words are the lyrics
          <audio
            controls
            preload="none"
            src={url}
            aria-label={title || t('task.MUSIC')}
            onError={() => setFailed(true)}
            className="mt-1 h-9 w-full"
          />
        )}
      </div>
    </figure>
  )
}

function Video({ url, poster }: { readonly url: string; readonly poster: string }) {
  const { t } = useTranslation('tasks')
  const [failed, setFailed] = useState(false)
  if (failed) return <Notice tone="warn">{t('media.failed')}</Notice>
  return (
    <video
      controls
      preload="metadata"
      src={url}
      {...(poster !== '' && { poster })}
      aria-label={t('platform.video')}
      onError={() => setFailed(true)}
      className="max-h-[52dvh] w-full rounded-lg bg-sunken"
    />
  )
}

/** Fetches a video behind the gateway when the person asks for it: it may be large. */
function StoredVideo({ id }: { readonly id: string }) {
  const { t } = useTranslation('tasks')
  const [wanted, setWanted] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['video', id],
    queryFn: ({ signal }) => loadVideo(id, signal),
    enabled: wanted,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => () => void (data !== undefined && URL.revokeObjectURL(data)), [data])
  if (data !== undefined) return <Video url={data} poster="" />
  return (
    <div className="grid min-h-40 place-items-center gap-2 rounded-lg bg-sunken p-4">
      {error && <Notice tone="warn">{error.message}</Notice>}
      <Button icon={Play} loading={isFetching} onClick={() => (wanted ? void refetch() : setWanted(true))}>
        {t('media.loadVideo')}
      </Button>
    </div>
  )
}

export interface ThumbnailProps {
  /** Empty without a picture. */
  readonly url: string
  readonly className?: string
}

/** A small picture of a job, decorative: its words stand beside it. */
export function Thumbnail({ url, className }: ThumbnailProps) {
  const [failed, setFailed] = useState('')
  const box = cx('shrink-0 overflow-hidden rounded bg-sunken', className)
  if (url === '' || failed === url)
    return (
      <span className={cx(box, 'grid place-items-center text-muted')}>
        {failed === url && url !== '' && <ImageOff className="size-4" aria-hidden />}
      </span>
    )
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailed(url)}
      className={cx(box, 'object-cover')}
    />
  )
}
