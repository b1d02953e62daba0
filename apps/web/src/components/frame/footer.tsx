import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../lib/api/status.ts'
import { readLocal } from '../../lib/browser/local-store.ts'
import { cx } from '../../lib/cx.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'

/** Number of looks for the operator's line after the page opened, and their distance (spec operations §2.14). */
const looks = 5
const lookEveryMs = 200

const TextOrFrame = lazyComponent(() => import('../operator-content/text-or-frame.tsx'), 'TextOrFrame')

export interface FooterProps {
  /** One low line, where pages fill the window. */
  readonly compact?: boolean
}

/** The operator's own line, or the product and its version. */
export function Footer({ compact = false }: FooterProps) {
  const { t } = useTranslation()
  const version = useStatus()?.version ?? ''
  const html = useFooterHtml()
  return (
    <footer
      className={cx('px-5 text-center text-faint', compact ? 'py-1.5 text-2xs' : 'min-h-14 py-5 text-xs')}
    >
      {html ? (
        <Suspense>
          <TextOrFrame text={html} look="line" title={t('footer.title')} frameClass="h-20 w-full" />
        </Suspense>
      ) : (
        t('footer.credit', { version })
      )}
    </footer>
  )
}

/** Returns the line as the browser stores it: one that is put there soon after the page opened is still seen. */
function useFooterHtml(): string {
  const reported = useStatus()?.footer_html
  const [retained, setStored] = useState(() => readLocal('footer_html') ?? '')
  useEffect(() => {
    let looked = 0
    const timer = setInterval(() => {
      setStored(readLocal('footer_html') ?? '')
      if (++looked === looks) clearInterval(timer)
    }, lookEveryMs)
    return () => clearInterval(timer)
  }, [])
  return reported || retained
}
