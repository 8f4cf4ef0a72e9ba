with categories as (
    insert into shop_categories (name, description, position, hidden) values
        ('Potions', 'Heals and restores.', 10, false),
        ('Mounts', 'Faster than on foot.', 20, false),
        ('Premium', 'More of everything.', 30, false),
        ('Workshop', 'What is not on sale yet.', 40, true)
    returning category_id, name
), offers (category, name, description, price, grants, position, stock, account_limit) as (values
    ('Potions', 'Health potion', 'A hundred bottles, enough for a long night.', 25, '[{"kind": "item", "id": "266", "count": 100}]', 10, null, null),
    ('Potions', 'Mana potion', 'A hundred bottles. Keep them cool.', 25, '[{"kind": "item", "id": "268", "count": 100}]', 20, null, null),
    ('Potions', 'Traveller''s bag', 'A bag with both potions, for the way.', 45,
     '[{"kind": "container", "id": "2853", "count": 1}, {"kind": "item", "id": "266", "count": 100}, {"kind": "item", "id": "268", "count": 100}]', 30, null, null),
    ('Mounts', 'War bear', 'Slow to anger, quick on the hills.', 750, '[{"kind": "mount", "id": "3", "count": 1}]', 10, null, 1),
    ('Mounts', 'Founder''s horse', 'There will only ever be twenty of them.', 2500, '[{"kind": "mount", "id": "22", "count": 1}]', 20, 20, 1),
    ('Premium', 'Thirty days', 'A month of premium time for your account.', 250, '[{"kind": "premium_days", "id": "premium", "count": 30}]', 10, null, null),
    ('Workshop', 'Mage outfit', 'Being sewn.', 900, '[{"kind": "outfit", "id": "130", "count": 1}]', 10, null, 1)
)
insert into shop_offers (category_id, name, description, price, grants, position, hidden, stock, account_limit)
select category_id, offers.name, description, price, grants::jsonb, position, false, stock, account_limit
from offers join categories on categories.name = category;
