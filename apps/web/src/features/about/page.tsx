import '../../styles/pages.css'
import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OperatorContent } from '../../components/operator-content/operator-content.tsx'
import { usePublicText } from '../../components/operator-content/public-texts.ts'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { isRoot, useUser } from '../../lib/session/session.ts'

export function AboutPage(): ReactNode {
  const { t } = useTranslation()
  const { data, error, refetch, isFetching } = usePublicText('about')
  usePageTitle(t('nav.about'))
  if (data) return <OperatorContent content={data} title={t('nav.about')} />
  if (data === '') return <NothingYet />
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
  return (
    <div className="mx-auto w-full max-w-[1040px] px-5 py-8">
      <Skeleton className="h-40!" />
    </div>
  )
}

function NothingYet() {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <>
      <h1 className="sr-only">{t('nav.about')}</h1>
      <EmptyState
        icon={Info}
        title={t('about.empty')}
        action={<LinkButton to="/">{t('notFound.home')}</LinkButton>}
      >
        {isRoot(user) && t('about.emptyRoot')}
      </EmptyState>
    </>
  )
}
