import '../../styles/pages.css'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { SiteNotice } from '../../components/frame/site-notice.tsx'
import { OperatorContent } from '../../components/operator-content/operator-content.tsx'
import { usePublicText } from '../../components/operator-content/public-texts.ts'
import { Card, Stat } from '../../components/ui/card.tsx'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { accountQuery } from '../../lib/api/account.ts'
import { useSystemName } from '../../lib/api/status.ts'
import { usePageTitle } from '../../lib/browser/page-title.ts'
import { formatInteger } from '../../lib/format/format.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { useUser } from '../../lib/session/session.ts'
import { FirstCall, Installation, NextSteps } from './cards.tsx'

// The catalogue of providers is too large for the first load.
const Providers = lazyComponent(() => import('./providers.tsx'), 'Providers')

/** The home page: the operator's own text, or what this installation offers. */
export function HomePage(): ReactNode {
  const { data: written, isPending } = usePublicText('home_page_content')
  usePageTitle()
  if (isPending) return <div aria-busy className="min-h-[60dvh]" />
  return (
    <>
      {written ? <OperatorContent content={written} title="" /> : <BuiltInPage />}
      <SiteNotice />
    </>
  )
}

function BuiltInPage() {
  const user = useUser()
  return (
    <div className="mx-auto flex w-full max-w-[1040px] flex-col gap-5 px-5 pt-12 pb-6 max-sm:px-4 max-sm:pt-6">
      <Welcome />
      {user && <Account />}
      <div className="grid min-w-0 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          {user && <NextSteps role={user.role} />}
          <Installation />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <FirstCall />
          <Suspense fallback={<div className="min-h-40" />}>
            <Providers />
          </Suspense>
        </div>
      </div>
    </div>
  )
}

function Welcome() {
  const { t } = useTranslation('home')
  const systemName = useSystemName()
  const user = useUser()
  return (
    <div className="mb-2">
      <h1 className="font-semibold text-2xl tracking-tight">
        {user ? t('greeting', { name: user.display_name || user.username }) : systemName}
      </h1>
      {!user && (
        <>
          <p className="mt-1.5 max-w-[60ch] text-base text-muted">{t('tagline')}</p>
          <LinkButton to="/login" variant="primary" className="mt-5">
            {t('login')}
            <ArrowRight className="size-3.5" aria-hidden />
          </LinkButton>
        </>
      )}
    </div>
  )
}

function Account() {
  const { t } = useTranslation('home')
  const { data } = useQuery(accountQuery)
  return (
    <Card>
      <div className="grid grid-cols-3 gap-5 max-sm:grid-cols-2">
        <Stat label={t('balance')}>
          {data ? <Money quota={data.quota} /> : <Skeleton className="w-24!" />}
        </Stat>
        <Stat label={t('used')}>
          {data ? <Money quota={data.used_quota} /> : <Skeleton className="w-24!" />}
        </Stat>
        <Stat label={t('requests')}>
          {data ? formatInteger(data.request_count) : <Skeleton className="w-16!" />}
        </Stat>
      </div>
    </Card>
  )
}
