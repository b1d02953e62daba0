import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n/index.ts'
import { useTheme } from '../../lib/browser/theme.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/tag.tsx'
import { loadTurnstile } from './turnstile-script.ts'

export interface HumanCheckWidgetProps {
  readonly siteKey: string
  /** The token of the solved check, or nothing once it has expired. */
  readonly onResponse: (response: string) => void
}

/** Cloudflare's widget, which finds out whether a person is there. */
export function HumanCheckWidget({ siteKey, onResponse }: HumanCheckWidgetProps): ReactNode {
  const { t } = useTranslation('login')
  const { resolved: theme } = useTheme()
  const container = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    let isGone = false
    let remove: (() => void) | undefined
    if (failed) return
    loadTurnstile().then(
      (turnstile) => {
        if (isGone || !container.current) return
        const widget = turnstile.render(container.current, {
          sitekey: siteKey,
          theme,
          language: currentLanguage(),
          size: 'flexible',
          callback: onResponse,
          'expired-callback': () => onResponse(''),
        })
        remove = () => turnstile.remove(widget)
      },
      () => !isGone && setFailed(true),
    )
    return () => {
      isGone = true
      remove?.()
    }
  }, [siteKey, theme, onResponse, failed])

  if (failed) {
    return (
      <Notice
        tone="bad"
        action={
          <Button size="sm" onClick={() => setFailed(false)}>
            {t('checkRetry')}
          </Button>
        }
      >
        {t('checkFailed')}
      </Notice>
    )
  }
  return <div ref={container} className="min-h-[65px]" />
}
