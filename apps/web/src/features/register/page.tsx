import '../../styles/pages.css'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AuthLayout, authLink } from '../../components/sign-in/auth-layout.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { canRegister, useStatus, useSystemName } from '../../lib/status.ts'
import { RegisterFields } from './register-fields.tsx'

export function RegisterPage(): ReactNode {
  const { t } = useTranslation('account')
  const systemName = useSystemName()
  const status = useStatus()
  const isClosed = status !== undefined && !canRegister(status)
  return (
    <AuthLayout
      title={t('register.title')}
      heading={t('register.heading', { systemName })}
      links={
        <Link to="/login" className={authLink}>
          {t('register.toLogin')}
        </Link>
      }
    >
      {isClosed ? <Notice tone="info">{t('register.closed')}</Notice> : <RegisterFields />}
    </AuthLayout>
  )
}
