// The pages that create and edit a coin package.

import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useCommand } from '../../../api/command';
import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { useNavigateFromHere } from '../../../look/navigation';
import { Page } from '../../../look/page';
import { Loaded } from '../../../look/query';
import { href } from '../../../routes';
import {
  adminCreateCoinPackage,
  adminEditCoinPackage,
  type AdminCoinPackage,
  type ChangedCoinPackage,
  type NewCoinPackage,
  type PackageSaved,
} from '../../../sdk';
import { report } from '../panel/report';
import { Conflict } from '../versions/conflict';
import { useDraft } from '../versions/draft';
import { useReloadOfChanges } from '../versions/reload';
import { Restored } from '../versions/restored';
import { packagesOptions } from './all';
import { fieldsOf, NEW_PACKAGE, normalised, PackageForm, usePackageFields, valuesOf, type PackageValues } from './form';
import { packages } from './texts';

function AllPackages() {
  const t = useTexts(packages);
  return <Link href={href('staffPage', { page: 'packages' })}>{t.all}</Link>;
}

export function NewPackagePage() {
  const t = useTexts(packages);
  const navigate = useNavigateFromHere();
  const draft = useDraft<PackageValues>('packages/new', NEW_PACKAGE, 0);
  const command = useCommand<NewCoinPackage, PackageSaved>({
    name: 'package.create/new',
    send: (body, headers) => adminCreateCoinPackage({ body, headers }),
    onDone: (_, sent) => {
      if (draft.created(body(), sent)) navigate(href('staffPage', { page: 'packages' }));
      report(t.created(sent.name), { action: 'coins.add_package' });
    },
  });
  const body = (): NewCoinPackage | undefined => fieldsOf(draft.draft.values);
  return (
    <Page title={t.create} aside={<AllPackages />}>
      <Restored draft={draft} />
      <PackageForm draft={draft} command={command} body={body} />
    </Page>
  );
}

export function PackagePage({ id }: { id: number }) {
  const t = useTexts(packages);
  const list = useQuery(packagesOptions());
  const item = list.data?.find(({ package_id }) => package_id === id);
  return (
    <Page title={item?.name ?? t.title} aside={<AllPackages />}>
      <Loaded query={list}>
        {() =>
          item === undefined || item.retired_at !== undefined ? (
            <Notice look="warning">{t.notOnSale}</Notice>
          ) : (
            <Editor item={item} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Editor({ item }: { item: AdminCoinPackage }) {
  const t = useTexts(packages);
  const stored = valuesOf(item);
  const draft = useDraft<PackageValues>(`packages/${item.package_id}`, stored, item.version, normalised);
  const fields = usePackageFields();
  const command = useCommand<ChangedCoinPackage, PackageSaved>({
    name: `package.edit/${item.package_id}`,
    send: (body, headers) => adminEditCoinPackage({ body, headers }),
    onDone: (result, body) => {
      draft.saved(valuesOf(body), result?.version ?? body.expected_version + 1);
      report(t.saved(body.name), { action: 'coins.edit_package' });
    },
  });
  useReloadOfChanges(command);
  const body = (): ChangedCoinPackage | undefined => {
    const values = fieldsOf(draft.draft.values);
    return values && { package_id: item.package_id, expected_version: draft.draft.version, ...values };
  };
  return (
    <>
      <Restored draft={draft} />
      {draft.isChanged && item.version > draft.draft.version ? (
        <Conflict
          draft={draft.draft}
          theirs={{ values: stored, version: item.version }}
          fields={fields}
          onMerged={(merged) => {
            command.reset();
            draft.replace(merged);
          }}
        />
      ) : (
        <PackageForm draft={draft} command={command} body={body} />
      )}
    </>
  );
}
