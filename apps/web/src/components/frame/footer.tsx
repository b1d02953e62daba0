import { useTranslation } from 'react-i18next'
import { SafeHtml } from '../../lib/safe-html.tsx'
import { useStatus } from '../../lib/status.ts'

/** The operator's own line, or the product and its version. */
export function Footer() {
  const { t } = useTranslation()
  const status = useStatus()
  return (
    <footer className="px-5 py-5 text-center text-faint text-xs">
      {status?.footer_html ? (
        <SafeHtml html={status.footer_html} />
      ) : (
        t('footer.credit', { version: status?.version ?? '' })
      )}
    </footer>
  )
}
