import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../components/ui/tag.tsx'

export interface GroupBannerProps {
  readonly isLoggedIn: boolean
  readonly group: string
  readonly ratio: number
  /** Another group whose prices are shown instead. */
  readonly shown: { readonly group: string; readonly ratio: number } | undefined
}

/** Whose prices these are. */
export function GroupBanner({ isLoggedIn, group, ratio, shown }: GroupBannerProps): ReactNode {
  const { t } = useTranslation('pricing')
  return (
    <Notice tone={isLoggedIn ? 'good' : 'warn'}>
      {isLoggedIn ? (
        t('banner.group', { group, ratio })
      ) : (
        <>
          {t('banner.guest', { ratio })}{' '}
          <Link to="/login" search={{ redirect: '/pricing' }} className="underline">
            {t('banner.login')}
          </Link>
        </>
      )}
      {shown && <p>{t('banner.shown', shown)}</p>}
    </Notice>
  )
}

/** How a charge comes about. */
export function FormulaBanner(): ReactNode {
  const { t } = useTranslation('pricing')
  return <Notice tone="info">{t('banner.formula')}</Notice>
}
