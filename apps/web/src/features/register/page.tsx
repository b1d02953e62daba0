import '../../styles/pages.css'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AccountCard, accountLink } from '../../components/sign-in/account-card.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { mayRegister, useStatus, useSystemName } from '../../lib/status.ts'
import { RegisterFields } from './register-fields.tsx'

export function RegisterPage(): ReactNode {
  const { t } = useTranslation('account')
  const systemName = useSystemName()
  const status = useStatus()
  const isClosed = status !== undefined && !mayRegister(status)
  return (
    <AccountCard
      title={t('register.title')}
      heading={t('register.heading', { systemName })}
      links={
        <Link to="/login" className={accountLink}>
          {t('register.toLogin')}
        </Link>
      }
    >
      {isClosed ? <Notice tone="info">{t('register.closed')}</Notice> : <RegisterFields />}
    </AccountCard>
  )
}
