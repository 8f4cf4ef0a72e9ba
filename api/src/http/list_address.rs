//! The paths and queries of the pages of a list.

use guildhall_common::contract::values::Limit;
use serde::Serialize;
use serde_json::Value;

use crate::http::{cursor::Cursor, percent::encoded};

/// The path of a list and the parameters that select its items.
pub(crate) struct ListAddress {
    path: &'static str,
    is_page_in_path: bool,
    filters: Vec<String>,
}

impl ListAddress {
    /// A list whose page and limit are in the path.
    pub(crate) fn with_path(path: &'static str) -> Self {
        Self { path, is_page_in_path: true, filters: vec![] }
    }

    /// A list whose page and limit are in the query.
    pub(crate) fn with_query(path: &'static str) -> Self {
        Self { path, is_page_in_path: false, filters: vec![] }
    }

    /// Adds a parameter, unless it has no value.
    pub(crate) fn filter(mut self, name: &str, value: Option<impl Serialize>) -> Self {
        match value.and_then(|value| serde_json::to_value(value).ok()) {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => self.filters.push(format!("{name}={}", encoded(&text))),
            Some(value) => self.filters.push(format!("{name}={value}")),
        }
        self
    }

    /// The list with its filters, without a page. It is in lower case: a filter that selects names ignores the case.
    pub(crate) fn selection(&self) -> String {
        format!("{}?{}", self.path, self.filters.join("&")).to_ascii_lowercase()
    }

    /// The path and the query of a page.
    pub(crate) fn page(&self, page: i64, limit: Limit, after: Option<&Cursor>) -> String {
        let Self { path, is_page_in_path, filters } = self;
        let after = after.map(|cursor| format!("after={}", &**cursor));
        let page_parameters = (!is_page_in_path).then(|| format!("page={page}&limit={limit}"));
        let query: Vec<String> = page_parameters.into_iter().chain(filters.clone()).chain(after).collect();
        let path = if *is_page_in_path { format!("{path}/{page}/{limit}") } else { (*path).to_owned() };
        if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_repeats_the_parameters_of_a_list() {
        let (limit, cursor) = (Limit::try_from(20).unwrap(), "WzFd".parse().unwrap());
        let search = || ListAddress::with_query("/list").filter("search", Some("mira s"));
        assert_eq!(search().page(2, limit, None), "/list?page=2&limit=20&search=mira%20s");
        let signs = ListAddress::with_path("/list").filter("search", Some("a&b+ß"));
        assert_eq!(signs.page(2, limit, None), "/list/2/20?search=a%26b%2B%C3%9F");
        assert_eq!(
            search().selection(),
            ListAddress::with_query("/list").filter("search", Some("Mira S")).selection()
        );
        assert_eq!(
            search().filter("id", Some(7)).page(1, limit, Some(&cursor)),
            "/list?page=1&limit=20&search=mira%20s&id=7&after=WzFd"
        );
        let news = || ListAddress::with_path("/news").filter("status", None::<String>);
        assert_eq!(news().page(1, limit, None), "/news/1/20");
        assert_eq!(
            news().filter("body", Some(true)).page(3, limit, Some(&cursor)),
            "/news/3/20?body=true&after=WzFd"
        );
    }
}
