import { useTranslation } from 'react-i18next'
import { ProblemRow } from './problem-row.tsx'

/** A proxy whose forwarding headers are not believed, so that everybody behind it looks like one visitor. */
export function ProxyRow({ address }: { readonly address: string }) {
  const { t } = useTranslation('dashboard')
  return (
    <ProblemRow tone="warn" title={t('proxy.title')}>
      {t('proxy.hint', { address })} <code className="select-all break-all">TRUSTED_PROXIES={address}</code>
    </ProblemRow>
  )
}
