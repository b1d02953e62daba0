import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { useLogo, useStatus, useSystemName } from '../../lib/status.ts'
import { Tag } from '../ui/tag.tsx'

/** The installation's logo and name, with its mode. */
export function Logo({ className }: { readonly className?: string }) {
  const { t } = useTranslation()
  const status = useStatus()
  const name = useSystemName()
  const logo = useLogo()
  return (
    <span className={cx('flex min-w-0 items-center gap-2', className)}>
      <img src={logo} alt="" className="size-6 shrink-0 rounded-[5px] object-contain" />
      <span className="truncate font-semibold text-base tracking-tight">{name}</span>
      {status?.self_use_mode_enabled && (
        <Tag tone="accent" className="max-sm:hidden">
          {t('badge.selfUse')}
        </Tag>
      )}
      {status?.demo_site_enabled && <Tag tone="info">{t('badge.demo')}</Tag>}
    </span>
  )
}
