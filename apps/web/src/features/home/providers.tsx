import { Link } from '@tanstack/react-router'
import { channelTypes } from '@tollgate/api/channel-types'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { Tag } from '../../components/ui/tag.tsx'

/** Those that calls can be sent to today. */
const served = channelTypes
  .filter(({ legacy }) => !legacy)
  .map(({ name }) => name)
  .toSorted((a, b) => a.localeCompare(b))

/** Shows the providers whose models can stand behind the one address. */
export function Providers() {
  const { t } = useTranslation('home')
  return (
    <Card
      title={t('providers')}
      description={t('providersHint')}
      action={
        <Link to="/pricing" className="shrink-0 text-accent-text text-sm hover:underline">
          {t('prices')}
        </Link>
      }
    >
      <ul className="flex flex-wrap gap-1.5">
        {served.map((name) => (
          <li key={name}>
            <Tag>{name}</Tag>
          </li>
        ))}
      </ul>
    </Card>
  )
}
