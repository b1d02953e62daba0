import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { canRegister, useStatus } from '../../lib/api/status.ts'
import { useUser } from '../../lib/session/session.ts'

const link = 'font-medium text-accent-text hover:underline'

/** Shows the way from an account to a first call, with the step that comes next for this reader as a link. */
export function BeginCard() {
  const { t } = useTranslation('home')
  return (
    <Card title={t('begin')}>
      <ol className="flex list-decimal flex-col gap-2 pl-5 text-sm marker:text-muted">
        <li>
          <KeyStep />
        </li>
        <li>{t('step.address')}</li>
        <li>{t('step.model')}</li>
      </ol>
    </Card>
  )
}

function KeyStep(): ReactNode {
  const { t } = useTranslation('home')
  const user = useUser()
  const status = useStatus()
  if (user)
    return (
      <Link to="/token/add" search={true} className={link}>
        {t('step.key')}
      </Link>
    )
  return (
    <>
      <Link to={canRegister(status) ? '/register' : '/login'} className={link}>
        {t(canRegister(status) ? 'step.register' : 'step.login')}
      </Link>
      {t('step.thenKey')}
    </>
  )
}
