// Package catalog finds the tables of a warehouse. It is the one package that
// imports the table formats, and knows them by the words that USING and by-path
// names have.
//
// FileCatalog is the warehouse directory itself: a table is the directory
// <warehouse>/<schema>/<table>, or <warehouse>/<table> in the default schema,
// in the layout in which other engines find tables by path. MetastoreCatalog has
// Iceberg tables whose current metadata files a Backend knows, such as a
// database; the Backend's package registers itself when it is imported.
//
//	c, err := catalog.Open("./warehouse", catalog.Options{})
//	table, err := c.LoadTable(ctx, types.TableName{Schema: "sales", Name: "orders"})
package catalog
