import { useTranslation } from 'react-i18next'
import { useLogo, useStatus, useSystemName } from '../../lib/api/status.ts'
import { Tag } from '../ui/tag.tsx'

/** The installation's logo and name, with its mode. */
export function Logo() {
  const { t } = useTranslation()
  const status = useStatus()
  const name = useSystemName()
  return (
    <span className="flex min-w-0 items-center gap-2">
      <LogoPicture />
      <span className="truncate font-semibold text-base tracking-tight" title={name}>
        {name}
      </span>
      {status?.self_use_mode_enabled && (
        <Tag tone="accent" className="shrink-0 max-sm:hidden">
          {t('badge.selfUse')}
        </Tag>
      )}
      {status?.demo_site_enabled && (
        <Tag tone="info" className="shrink-0">
          {t('badge.demo')}
        </Tag>
      )}
    </span>
  )
}

/** The picture alone, where there is no room for more. */
export function LogoPicture() {
  return <img src={useLogo()} alt="" className="size-6 shrink-0 rounded-[5px] object-contain" />
}
