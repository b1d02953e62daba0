import { describe, expect, it } from 'bun:test'
import type { PublicIncident } from '@tollgate/api'
import { incidentFeed } from './incident-feed.ts'

const facts = {
  site: 'https://gate.example',
  path: '/api/status_page/feed',
  systemName: 'Gate & Co',
  language: 'en',
} as const
const incident: PublicIncident = {
  id: 7,
  title: 'Calls <fail>',
  state: 'resolved',
  models: ['gpt-4o'],
  started_at: 1_764_460_800,
  ended_at: 1_764_464_400,
  updates: [
    { at: 1_764_460_860, state: 'investigating', text: 'We are\nlooking.' },
    { at: 1_764_464_400, state: 'resolved', text: 'It works <again>.' },
  ],
}

describe('the feed of incidents', () => {
  it('has an entry for each, whose time is that of its last update, the newest update first', () => {
    const feed = incidentFeed([incident], facts)
    expect(feed).toContain('<updated>2025-11-30T01:00:00Z</updated>\n<author><name>Gate &amp; Co</name>')
    expect(feed).toContain('<title>Calls &lt;fail&gt; · Resolved</title>')
    expect(feed).toContain('<id>https://gate.example/status#incident-7</id>')
    expect(feed).toContain('<published>2025-11-30T00:00:00Z</published>')
    expect(feed).toContain('<category term="gpt-4o"/>')
    expect(feed.indexOf('It works &amp;lt;again&amp;gt;.')).toBeLessThan(
      feed.indexOf('We are&lt;br/&gt;looking.'),
    )
  })

  it('says the states in the language of its reader', () => {
    expect(incidentFeed([incident], { ...facts, language: 'zh' })).toContain('已解决')
  })

  it('leaves out characters that no XML can have, and is a feed without incidents', () => {
    const odd = incidentFeed([{ ...incident, title: 'a\u0000b\u001b\ud800c\uffff😀' }], facts)
    expect(odd).toContain('<title>abc😀 · Resolved</title>')
    expect(incidentFeed([], facts)).toContain('<updated>1970-01-01T00:00:00Z</updated>')
  })
})
