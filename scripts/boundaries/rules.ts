import { allowOnly, forbid } from './rule.ts'

const test = '(?!.*(\\.test\\.tsx?$|/test-support/))'
const pure = (name: string) => new RegExp(`^packages/${name}/${test}`)
const platform = /^(node:|bun:|bun$)/

/** The import rules, one line each: `npm run check` enforces them, docs/architecture.md draws them. */
export const rules = [
  forbid(
    'pure-no-io',
    'packages but http are pure: bytes enter and leave in apps/server',
    pure('(?!http/)[^/]+'),
    platform,
  ),
  allowOnly(
    'api-knows-zod-and-the-provider-table',
    'server and browser share the contract: no code of providers goes along',
    pure('api'),
    /^npm:zod$|^packages\/providers\/src\/table\.ts$/,
  ),
  allowOnly(
    'provider-table-is-data',
    'packages/api derives the channel types from it',
    /^packages\/providers\/src\/(table|added-rows|provider-row|models\/usual-models|profile\/target-profile|profile\/rows\/dates)\.ts$/,
    /^packages\/providers\/src\/(added-rows|provider-row|models\/usual-models|profile\/target-profile|profile\/rows\/dates)\.ts$/,
  ),
  allowOnly('formats-know-only-zod', 'a wire format depends on nobody', pure('formats'), /^npm:zod$/),
  allowOnly(
    'providers-know-formats',
    'a provider is data and pure functions over formats',
    pure('providers'),
    /^npm:zod$|^packages\/formats\//,
  ),
  allowOnly('base-knows-nobody', 'what every package may stand on stands on nothing', pure('base'), /^$/),
  allowOnly(
    'http-knows-no-gateway',
    'HTTP/1.1 over sockets, without knowledge of gateways',
    pure('http'),
    /^packages\/base\/|^(node:|bun$|bun:ffi$)/,
  ),
  forbid(
    'provider-islands',
    'providers never know each other; share through a format',
    /^packages\/providers\/src\/vendors\/([^/]+)\//,
    /^packages\/providers\/src\/vendors\/[^/]+\//,
    '^packages/providers/src/vendors/$1/',
  ),
  forbid(
    'http-is-outermost',
    'use cases do not know the edge',
    /^apps\/server\/src\/(?!http\/|compose\/|main\.ts)/,
    /^apps\/server\/src\/http\//,
  ),
  forbid(
    'relay-above-use-cases',
    'relay knows billing, channels and settings; they do not know relay. Tasks are submitted through it, telemetry watches it',
    /^apps\/server\/src\/(?!gateway\/(relay|tasks)\/|telemetry\/|http\/|compose\/|main\.ts)/,
    /^apps\/server\/src\/gateway\/relay\//,
  ),
  forbid(
    'relay-below-tasks',
    'tasks know the relay, not the other way round',
    /^apps\/server\/src\/gateway\/relay\//,
    /^apps\/server\/src\/gateway\/tasks\//,
  ),
  forbid(
    'upstream-below-use-cases',
    'sending to an upstream knows no use case: relay, channels and tasks go through it',
    /^apps\/server\/src\/upstream\//,
    /^apps\/server\/src\/(?!upstream\/|lib\/)/,
  ),
  forbid(
    'one-way-out',
    'upstreams are reached through upstream/ alone',
    /^apps\/server\/src\/(?!upstream\/|compose\/|.*\/test-support\/)/,
    /^packages\/http\/src\/client\//,
  ),
  forbid(
    'channel-routing-lowest',
    'routing is what the rest of channels stands on',
    /^apps\/server\/src\/channels\/routing\//,
    /^apps\/server\/src\/channels\/(health|testing|manage)\//,
  ),
  forbid(
    'channel-health-below-testing',
    'tests and management know health, not the other way round',
    /^apps\/server\/src\/channels\/health\//,
    /^apps\/server\/src\/channels\/(testing|manage)\//,
  ),
  forbid(
    'channel-testing-below-manage',
    'management knows tests, not the other way round',
    /^apps\/server\/src\/channels\/testing\//,
    /^apps\/server\/src\/channels\/manage\//,
  ),
  forbid(
    'sql-stays-in-store',
    'SQL has one room',
    /^apps\/server\/src\/(?!store\/|main\.ts)/,
    /^apps\/server\/src\/store\/(dialects|engine\/connections)\/|^bun:sqlite$|^npm:(kysely|pg|mysql2)$/,
  ),
  forbid(
    'store-decides-nothing',
    'the store keeps what use cases decide',
    /^apps\/server\/src\/store\//,
    /^apps\/server\/src\/(?!store\/|lib\/)/,
  ),
  forbid(
    'lib-knows-no-domain',
    'lib holds clock, ids, crypto: no domain words',
    /^apps\/server\/src\/lib\//,
    /^apps\/server\/src\/(?!lib\/)/,
  ),
  forbid(
    'main-is-the-root',
    'the composition root is known by nobody',
    /^(apps|packages)\/(?!server\/src\/(compose\/|main\.ts|executable\.ts))/,
    /^apps\/server\/src\/(compose\/|main\.ts)/,
  ),
  forbid(
    'web-speaks-only-the-contract',
    'the console knows the server through packages/api',
    /^apps\/web\//,
    /^apps\/server\/|^packages\/(formats|providers)\//,
  ),
  forbid(
    'feature-islands',
    'features never import each other',
    /^apps\/web\/src\/features\/([^/]+)\//,
    /^apps\/web\/src\/features\/[^/]+\//,
    '^apps/web/src/features/$1/',
  ),
  forbid(
    'features-below-routes',
    'routes compose features, not the other way round',
    /^apps\/web\/src\/(features|components|lib|i18n)\//,
    /^apps\/web\/src\/routes\//,
  ),
  forbid(
    'components-below-features',
    'components know no feature',
    /^apps\/web\/src\/(components|lib|i18n)\//,
    /^apps\/web\/src\/features\//,
  ),
  forbid(
    'product-without-scaffold',
    'tests, scripts and bench stand outside the product',
    new RegExp(`^(apps|packages)/(?!.*/contract/)${test}`),
    /^(tests|scripts|bench|tools)\//,
  ),
  forbid(
    'test-support-is-for-tests',
    'what helps tests is no part of the product',
    new RegExp(`^(apps|packages)/(?!.*/contract/)${test}`),
    /\/test-support\//,
  ),
]
