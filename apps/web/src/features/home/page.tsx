import '../../styles/pages.css'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SiteNotice } from '../../components/frame/site-notice.tsx'
import { OperatorContent } from '../../components/operator-content/operator-content.tsx'
import { usePublicText } from '../../components/operator-content/public-texts.ts'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { useSystemName } from '../../lib/api/status.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUser } from '../../lib/session/session.ts'
import { BeginCard } from './begin-card.tsx'
import { FirstCall, Installation } from './cards.tsx'
import { ModelsCard } from './models-card.tsx'

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
  return (
    <div className="mx-auto flex w-full max-w-[1040px] flex-col gap-5 px-5 pt-12 pb-6 max-sm:px-4 max-sm:pt-6">
      <Welcome />
      <div className="grid min-w-0 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          <BeginCard />
          <Installation />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ModelsCard />
          <FirstCall />
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
      <h1 className="font-semibold text-2xl tracking-tight">{systemName}</h1>
      <p className="mt-1.5 max-w-[60ch] text-base text-muted">{t('tagline')}</p>
      <LinkButton to={user ? '/detail' : '/login'} variant="primary" className="mt-5">
        {t(user ? 'console' : 'login')}
        <ArrowRight className="size-3.5" aria-hidden />
      </LinkButton>
    </div>
  )
}
