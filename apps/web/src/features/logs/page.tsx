import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { EmptyState } from '../../components/ui/states.tsx'

export function LogsPage(): ReactNode {
  const { t } = useTranslation('logs')
  return (
    <Page>
      <PageHeader title={t('title')} />
      <EmptyState icon={ScrollText} title={t('empty.title')}>
        {t('empty.description')}
      </EmptyState>
    </Page>
  )
}
