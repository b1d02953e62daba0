import { describe, expect, it } from 'bun:test'
import { edgesOf } from './graph.ts'
import { violations } from './rule.ts'
import { rules } from './rules.ts'

const workspaces = new Map([
  ['@tollgate/api', 'packages/api/src/index.ts'],
  ['@tollgate/api/errors', 'packages/api/src/errors.ts'],
  ['@tollgate/formats', 'packages/formats/src/index.ts'],
  ['@tollgate/providers', 'packages/providers/src/index.ts'],
  ['@tollgate/providers/table', 'packages/providers/src/table.ts'],
  ['@tollgate/http/client', 'packages/http/src/client/index.ts'],
])

/** Names of the rules that one import breaks. */
function brokenBy(from: string, specifier: string): readonly string[] {
  const lines = violations(edgesOf(new Map([[from, `import '${specifier}'`]]), workspaces), rules)
  return lines.map((line) => /^ {2}([\w-]+):/m.exec(line)?.[1] ?? line)
}

/** Per rule: an import that breaks it, and a near neighbour that is allowed. */
const proofs: Readonly<
  Record<string, { broken: readonly [string, string]; allowed: readonly [string, string] }>
> = {
  'pure-no-io': {
    broken: ['packages/providers/src/xai/index.ts', 'node:fs'],
    allowed: ['packages/providers/src/xai/index.test.ts', 'node:fs'],
  },
  'api-knows-zod-and-the-provider-table': {
    broken: ['packages/api/src/channel-types.ts', '@tollgate/providers'],
    allowed: ['packages/api/src/channel-types.ts', '@tollgate/providers/table'],
  },
  'provider-table-is-data': {
    broken: ['packages/providers/src/table.ts', './registry.ts'],
    allowed: ['packages/providers/src/table.ts', './models/usual-models.ts'],
  },
  'formats-know-only-zod': {
    broken: ['packages/formats/src/usage.ts', '@tollgate/api'],
    allowed: ['packages/formats/src/usage.ts', './errors/upstream-error.ts'],
  },
  'providers-know-formats': {
    broken: ['packages/providers/src/registry.ts', '@tollgate/api'],
    allowed: ['packages/providers/src/registry.ts', '@tollgate/formats'],
  },
  'base-knows-nobody': {
    broken: ['packages/base/src/clock.ts', '@tollgate/formats'],
    allowed: ['packages/base/src/index.ts', './clock.ts'],
  },
  'http-knows-no-gateway': {
    broken: ['packages/http/src/server/http-server.ts', '@tollgate/formats'],
    allowed: ['packages/http/src/server/http-server.ts', 'node:http'],
  },
  'provider-islands': {
    broken: ['packages/providers/src/vendors/kling/index.ts', '../vidu/index.ts'],
    allowed: ['packages/providers/src/vendors/kling/index.ts', './video.ts'],
  },
  'http-is-outermost': {
    broken: ['apps/server/src/accounts/tokens/create.ts', '../../http/error-response.ts'],
    allowed: ['apps/server/src/compose/serve.ts', '../http/error-response.ts'],
  },
  'relay-above-use-cases': {
    broken: ['apps/server/src/billing/ledger.ts', '../gateway/relay/plan.ts'],
    allowed: ['apps/server/src/gateway/relay/pump.ts', '../../billing/ledger.ts'],
  },
  'relay-below-tasks': {
    broken: ['apps/server/src/gateway/relay/relay.ts', '../tasks/submit-task.ts'],
    allowed: ['apps/server/src/gateway/tasks/submit-task.ts', '../relay/relay.ts'],
  },
  'upstream-below-use-cases': {
    broken: ['apps/server/src/upstream/upstreams.ts', '../channels/directory.ts'],
    allowed: ['apps/server/src/upstream/upstreams.ts', '../lib/outbound/outbound-guard.ts'],
  },
  'one-way-out': {
    broken: ['apps/server/src/channels/test-call.ts', '@tollgate/http/client'],
    allowed: ['apps/server/src/upstream/transport.ts', '@tollgate/http/client'],
  },
  'channel-routing-lowest': {
    broken: ['apps/server/src/channels/routing/channel-directory.ts', '../manage/channel-keys.ts'],
    allowed: ['apps/server/src/channels/routing/channel-directory.ts', './compile-channel.ts'],
  },
  'channel-health-below-testing': {
    broken: ['apps/server/src/channels/health/auto-disable.ts', '../testing/test-call.ts'],
    allowed: ['apps/server/src/channels/health/auto-disable.ts', '../routing/routing-types.ts'],
  },
  'channel-testing-below-manage': {
    broken: ['apps/server/src/channels/testing/test-channel.ts', '../manage/manage-channels.ts'],
    allowed: ['apps/server/src/channels/testing/channel-tester.ts', '../health/health-types.ts'],
  },
  'sql-stays-in-store': {
    broken: ['apps/server/src/records/logs/statistics.ts', 'bun:sqlite'],
    allowed: ['apps/server/src/store/open.ts', 'bun:sqlite'],
  },
  'store-decides-nothing': {
    broken: ['apps/server/src/store/users.ts', '../accounts/users/login/login.ts'],
    allowed: ['apps/server/src/store/users.ts', '../lib/clock.ts'],
  },
  'lib-knows-no-domain': {
    broken: ['apps/server/src/lib/ids.ts', '../store/units.ts'],
    allowed: ['apps/server/src/lib/ids.ts', './random.ts'],
  },
  'main-is-the-root': {
    broken: ['apps/server/src/http/app.ts', '../compose/serve.ts'],
    allowed: ['apps/server/src/main.ts', './compose/serve.ts'],
  },
  'web-speaks-only-the-contract': {
    broken: ['apps/web/src/features/tokens/api.ts', '@tollgate/formats'],
    allowed: ['apps/web/src/features/tokens/api.ts', '@tollgate/api/errors'],
  },
  'feature-islands': {
    broken: ['apps/web/src/features/tokens/table.tsx', '../channels/table.tsx'],
    allowed: ['apps/web/src/features/tokens/table.tsx', './columns.tsx'],
  },
  'features-below-routes': {
    broken: ['apps/web/src/features/tokens/page.tsx', '../../routes/tokens.tsx'],
    allowed: ['apps/web/src/routes/tokens.tsx', '../features/tokens/page.tsx'],
  },
  'components-below-features': {
    broken: ['apps/web/src/components/ui/button.tsx', '../../features/tokens/api.ts'],
    allowed: ['apps/web/src/components/ui/button.tsx', '../../lib/format.ts'],
  },
  'product-without-scaffold': {
    broken: ['apps/server/src/main.ts', '../../../tests/support/upstream/upstream.ts'],
    allowed: ['apps/server/src/store/contract.test.ts', '../../../../tests/support/postgres.ts'],
  },
  'test-support-is-for-tests': {
    broken: ['apps/server/src/gateway/relay/relay.ts', './test-support/channels.ts'],
    allowed: ['apps/server/src/gateway/relay/relay.test.ts', './test-support/channels.ts'],
  },
}

describe('rules', () => {
  it('are each proved below', () => {
    expect(Object.keys(proofs)).toEqual(rules.map((rule) => rule.name))
  })

  for (const [name, { broken, allowed }] of Object.entries(proofs)) {
    it(`${name}: refuses ${broken[1]} in ${broken[0]}`, () => expect(brokenBy(...broken)).toContain(name))
    it(`${name}: allows ${allowed[1]} in ${allowed[0]}`, () => expect(brokenBy(...allowed)).toEqual([]))
  }

  it('sees an import of a type alone, and says where it stands', () => {
    const files = new Map([['apps/web/src/lib/a.ts', `\nimport type { Usage } from '@tollgate/formats'`]])
    expect(violations(edgesOf(files, workspaces), rules)[0]).toStartWith(
      'apps/web/src/lib/a.ts:2 knows packages/formats/src/index.ts',
    )
  })

  it('lets a worker share types with the module that starts it', () => {
    const files = new Map([
      ['apps/server/src/store/reader.ts', `new Worker(new URL('./worker.ts', import.meta.url))`],
      ['apps/server/src/store/worker.ts', `import type { Question } from './reader.ts'`],
    ])
    expect(violations(edgesOf(files, workspaces), rules)).toEqual([])
  })

  it('refuses modules that know each other', () => {
    const files = new Map([
      ['apps/server/src/accounts/tokens/a.ts', `import './b.ts'`],
      ['apps/server/src/accounts/tokens/b.ts', `export * from './a.ts'`],
    ])
    expect(violations(edgesOf(files, workspaces), rules).join()).toContain('no-cycles')
  })
})
