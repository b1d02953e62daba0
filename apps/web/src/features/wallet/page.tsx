import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { BalanceCard } from './balance-card.tsx'
import { Orders } from './orders.tsx'
import { RedeemCard } from './redeem-card.tsx'
import { TopUpCard } from './top-up-card.tsx'

/** The own balance and the ways to more of it. */
export function WalletPage(): ReactNode {
  const { t } = useTranslation('wallet')
  return (
    <Page>
      <PageHeader title={t('title')} />
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-3">
          <BalanceCard />
          <RedeemCard />
        </div>
        <TopUpCard />
      </div>
      <Orders />
    </Page>
  )
}
