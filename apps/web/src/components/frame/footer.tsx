import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../lib/status.ts'

const OperatorText = lazy(() =>
  import('../operator-content/operator-text.tsx').then((module) => ({ default: module.OperatorText })),
)

/** The operator's own line, or the product and its version. */
export function Footer() {
  const { t } = useTranslation()
  const status = useStatus()
  return (
    <footer className="min-h-14 px-5 py-5 text-center text-faint text-xs">
      {status?.footer_html ? (
        <Suspense>
          <OperatorText text={status.footer_html} look="line" />
        </Suspense>
      ) : (
        t('footer.credit', { version: status?.version ?? '' })
      )}
    </footer>
  )
}
