import { ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { isRoot, useUser } from '../../../lib/session/session.ts'
import { JsonToggle, useSettingText } from '../fields/json-toggle.tsx'
import { SettingField } from '../fields/setting-field.tsx'
import { linkObjects, type NamedLink, readLinks } from '../model/json-maps.ts'

/** The chat links in the order in which people see them. */
export function ChatLinks() {
  const { t } = useTranslation('settings')
  const { text, error, change } = useSettingText('Chats')
  const links = readLinks(text)
  const store = (next: readonly NamedLink[]) => change(linkObjects(next))
  return (
    <>
      <p className="text-muted text-xs">{t('chat.hint')}</p>
      <JsonToggle keys={['Chats']} readable={links !== undefined} problems={[error]}>
        {() => links && <LinkRows links={links} onChange={store} />}
      </JsonToggle>
      {isRoot(useUser()) && <SettingField setting="ChatTrustedHosts" />}
    </>
  )
}

interface LinkRowsProps {
  readonly links: readonly NamedLink[]
  readonly onChange: (links: readonly NamedLink[]) => void
}

function LinkRows({ links, onChange }: LinkRowsProps) {
  const { t } = useTranslation('settings')
  const change = (index: number, part: Partial<NamedLink>) =>
    onChange(links.map((link, at) => (at === index ? { ...link, ...part } : link)))
  const moveUp = (index: number) => {
    const moved = links.filter((_, at) => at !== index)
    onChange([...moved.slice(0, index - 1), ...links.slice(index, index + 1), ...moved.slice(index - 1)])
  }
  return (
    <>
      <ul className="flex flex-col gap-2">
        {links.map((link, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two links may have one name, and rows hold no state
          <li key={index} className="flex items-center gap-2 max-sm:flex-wrap">
            <Input
              className="max-w-44 max-sm:max-w-none"
              aria-label={t('chat.name', { number: index + 1 })}
              placeholder={t('chat.namePlaceholder')}
              value={link.name}
              onChange={(event) => change(index, { name: event.target.value })}
            />
            <Input
              mono
              aria-label={t('chat.link', { number: index + 1 })}
              placeholder="https://chat.example.com/?key={key}&url={address}"
              value={link.link}
              onChange={(event) => change(index, { link: event.target.value })}
            />
            <IconButton
              label={t('chat.moveUp', { name: link.name })}
              icon={ArrowUp}
              disabled={index === 0}
              onClick={() => moveUp(index)}
            />
            <IconButton
              label={t('chat.remove', { name: link.name })}
              icon={Trash2}
              onClick={() => onChange(links.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ul>
      <Button icon={Plus} className="self-start" onClick={() => onChange([...links, { name: '', link: '' }])}>
        {t('chat.add')}
      </Button>
    </>
  )
}
