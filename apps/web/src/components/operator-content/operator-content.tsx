import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTheme } from '../../lib/browser/theme.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { Skeleton } from '../ui/states.tsx'

const OperatorText = lazyComponent(() => import('./operator-text.tsx'), 'OperatorText')

export interface OperatorContentProps {
  /** Markdown, HTML, or the https address of a page. */
  readonly content: string
  /** Names the frame, when it is a page. */
  readonly title: string
}

/** A page that the operator wrote, or one of theirs elsewhere. */
export function OperatorContent({ content, title }: OperatorContentProps): ReactNode {
  const address = framedAddress(content)
  if (address !== undefined) return <OperatorFrame address={address} title={title} />
  return (
    <article className="mx-auto w-full max-w-[1040px] px-5 py-8 max-sm:px-4">
      <Suspense fallback={<Skeleton className="h-40!" />}>
        <OperatorText text={content} />
      </Suspense>
    </article>
  )
}

/** The page may do what pages do but not lead this window elsewhere. It receives the theme and language are in use. */
function OperatorFrame({ address, title }: { readonly address: string; readonly title: string }) {
  const { t, i18n } = useTranslation()
  const { resolved: themeMode } = useTheme()
  const frame = useRef<HTMLIFrameElement>(null)
  const [loads, setLoads] = useState(0)
  useEffect(() => {
    if (loads === 0) return
    const { origin } = new URL(address)
    frame.current?.contentWindow?.postMessage({ themeMode }, origin)
    frame.current?.contentWindow?.postMessage({ lang: i18n.language }, origin)
  }, [address, loads, themeMode, i18n.language])
  return (
    <iframe
      ref={frame}
      src={address}
      title={title || t('nav.home')}
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="strict-origin"
      className="min-h-[75dvh] w-full flex-1 border-0"
      onLoad={() => setLoads((before) => before + 1)}
    />
  )
}

/**
 * The address when the whole text is one that may be framed: https, and not this console's own, because a sandboxed
 * page of the same origin could take its sandbox off.
 */
export function framedAddress(content: string, ownOrigin = window.location.origin): string | undefined {
  const text = content.trim()
  if (!/^https:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).origin === ownOrigin ? undefined : text
}
