import '../../styles/pages.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SiteNotice } from '../../components/frame/site-notice.tsx'
import { OperatorContent } from '../../components/operator-content/operator-content.tsx'
import { usePublicText } from '../../components/operator-content/public-texts.ts'
import { buttonClass } from '../../components/ui/button.tsx'
import { Card, Figure, KeyValue } from '../../components/ui/card.tsx'
import { CodeBlock, CopyText } from '../../components/ui/copy.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { StatusDot } from '../../components/ui/tag.tsx'
import { formatDateTime, formatInteger } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUser } from '../../lib/session.ts'
import { useServerAddress, useStatus, useSystemName } from '../../lib/status.ts'
import { modelsQuery, selfQuery } from './api.ts'
import { NextSteps } from './next-steps.tsx'
import { type SnippetKind, snippetKinds, snippetOf } from './snippets.ts'

const exampleModel = 'gpt-4o-mini'

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
      <div className="grid min-w-0 items-start gap-5 md:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          {user && <NextSteps role={user.role} />}
          <Installation />
        </div>
        <FirstCall />
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
      <p className="mt-1.5 max-w-[60ch] text-base text-muted">{t(user ? 'taglineUser' : 'tagline')}</p>
      {!user && (
        <Link to="/login" className={buttonClass('primary', 'md', 'mt-5')}>
          {t('login')}
          <ArrowRight className="size-3.5" aria-hidden />
        </Link>
      )}
    </div>
  )
}

function Account() {
  const { t } = useTranslation('home')
  const { data } = useQuery(selfQuery)
  return (
    <Card>
      <div className="grid grid-cols-3 gap-5 max-sm:grid-cols-2">
        <Figure label={t('balance')}>
          {data ? <Money quota={data.quota} /> : <Skeleton className="w-24!" />}
        </Figure>
        <Figure label={t('used')}>
          {data ? <Money quota={data.used_quota} /> : <Skeleton className="w-24!" />}
        </Figure>
        <Figure label={t('requests')}>
          {data ? formatInteger(data.request_count) : <Skeleton className="w-16!" />}
        </Figure>
      </div>
    </Card>
  )
}

function Installation() {
  const { t } = useTranslation('home')
  const status = useStatus()
  const address = useServerAddress()
  return (
    <Card title={t('installation')} action={status && <StatusDot tone="good">{t('running')}</StatusDot>}>
      <KeyValue
        items={[
          { label: t('baseUrl'), value: <CopyText value={`${address}/v1`} /> },
          {
            label: t('apiReference'),
            value: (
              <Link to="/docs" className="text-accent-text hover:underline">
                {t('apiReferenceLink')}
              </Link>
            ),
          },
          { label: t('version'), value: status?.version ?? <Skeleton className="w-16!" /> },
          status !== undefined && {
            label: t('started'),
            value: <span className="figures">{formatDateTime(status.start_time)}</span>,
          },
        ]}
      />
    </Card>
  )
}

function FirstCall() {
  const { t } = useTranslation('home')
  const user = useUser()
  const { data: models } = useQuery({ ...modelsQuery, enabled: user !== undefined })
  const address = useServerAddress()
  const [kind, setKind] = useState<SnippetKind>('curl')
  const code = snippetOf(kind, address, models?.[0] ?? exampleModel)
  return (
    <Card title={t('firstCall')} description={t('firstCallHint')}>
      <Tabs
        aria-label={t('firstCall')}
        value={kind}
        onValueChange={setKind}
        tabs={snippetKinds.map((value) => ({
          value,
          label: t(`snippet.${value}`),
          content: <CodeBlock code={code} label={t('copySnippet')} />,
        }))}
      />
    </Card>
  )
}
